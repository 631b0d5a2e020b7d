import type { ServiceIdentifier } from 'inversify';

/** Stores counters for rate limits that apply to all servers on the database together. A crash may lose them. */
export interface RateCountsStore {
  /**
   * Adds to counters in one statement.
   *
   * @param counts increments by key, each above 0
   * @returns the new counts by key
   */
  addCounts(counts: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, number>>;
}

export const RateCountsStore: ServiceIdentifier<RateCountsStore> = Symbol.for('@countersign/core:RateCountsStore');
