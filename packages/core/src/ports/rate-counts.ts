import type { ServiceIdentifier } from 'inversify';

/** Counters that all servers on the database add to, for limits that hold for all of them together. They may be lost in a crash. */
export interface RateCountsStore {
  /**
   * Adds to counters, in one go.
   *
   * @param counts by key, each above 0
   * @returns what the counters are then, by key
   */
  addCounts(counts: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, number>>;
}

export const RateCountsStore: ServiceIdentifier<RateCountsStore> = Symbol.for('@countersign/core:RateCountsStore');
