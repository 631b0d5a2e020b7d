import type { ServiceIdentifier } from 'inversify';

/** Stores counters that all servers on the database share, for common rate limits. A crash may lose them. */
export interface RateCountsStore {
  /**
   * Adds to counters in one statement.
   *
   * @param counts by key, each above 0
   * @returns the new counts by key
   */
  addCounts(counts: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, number>>;
}

export const RateCountsStore: ServiceIdentifier<RateCountsStore> = Symbol.for('@countersign/core:RateCountsStore');
