import type { EngineSettings } from '@countersign/model';

/** Internal tuning of the engine. The product uses the defaults; tests and benchmarks override them. */
export interface EngineOptions {
  readonly settings: EngineSettings;
  /** Maximum number of commands in one transaction. */
  readonly maxBatch: number;
  /** Maximum number of concurrent transactions. Two keep the database busy while the next batch is evaluated. */
  readonly maxConcurrentBatches: number;
  /**
   * Number of waiting commands required to start a second, concurrent transaction. Fewer commands wait for the first
   * one to end: the overhead of a transaction equals about five commands.
   */
  readonly minConcurrentBatch: number;
  /** Maximum number of jobs that this process runs concurrently. */
  readonly maxActiveJobs: number;
  /** Duration of the lease of a claimed job, in ms. The lease is renewed while the job runs. */
  readonly leaseMs: number;
  /** Interval of polls for work that other processes created or left unfinished, in ms. */
  readonly pollMs: number;
  /** Maximum number of active child runs per root run (`Limits:CalledRuns`). */
  readonly maxChildRuns: number;
  /** Number of runs whose state is cached. */
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
  maxChildRuns: 10_000,
  cachedRuns: 10_000,
});
