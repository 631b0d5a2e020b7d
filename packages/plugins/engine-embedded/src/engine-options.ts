import type { EngineSettings } from '@countersign/model';

/** How the engine works inside. The values are the product's; tests and benchmarks choose others. */
export interface EngineOptions {
  readonly settings: EngineSettings;
  /** Commands taken together in one transaction, at most. */
  readonly maxBatch: number;
  /** Transactions under way at once. Two keep the database busy while the next batch is worked out. */
  readonly maxConcurrentBatches: number;
  /**
   * Commands that must wait before another transaction is begun beside one that is under way. Fewer wait for that one to
   * end: a transaction costs about as much as five commands in it.
   */
  readonly minConcurrentBatch: number;
  /** Jobs that this process works on at once. */
  readonly maxActiveJobs: number;
  /** How long a claimed job belongs to this process without a sign of life, in ms. */
  readonly leaseMs: number;
  /** How often to look for work that other processes left, in ms. */
  readonly pollMs: number;
  /** Called runs of one root that may be alive at once (`Limits:CalledRuns`). */
  readonly maxCalledRuns: number;
  /** Runs whose state is kept in memory. */
  readonly cachedRuns: number;
}

export const DEFAULT_ENGINE_OPTIONS: EngineOptions = Object.freeze({
  settings: Object.freeze({
    separationOfDuties: true,
    excludeDeployers: false,
    requireDigest: false,
    retryBackoffMs: 1_000,
    retryBackoffMaxMs: 300_000,
  }),
  maxBatch: 64,
  maxConcurrentBatches: 2,
  minConcurrentBatch: 12,
  maxActiveJobs: 256,
  leaseMs: 30_000,
  pollMs: 1_000,
  maxCalledRuns: 10_000,
  cachedRuns: 10_000,
});
