import type { JsonObject } from '@countersign/core';

/** Request from the benchmark to a server process with the workload. */
export type WorkloadRequest =
  /** `temporal`: configuration of the engine for Temporal, which replaces the embedded engine. */
  | { readonly type: 'open'; readonly connectionString: string; readonly temporal?: JsonObject }
  /** Executes runs until they are completed, some of them at a time. */
  | { readonly type: 'run'; readonly runs: number; readonly inFlight: number }
  /** Starts runs, and does not wait for them. */
  | { readonly type: 'start'; readonly runs: number };
