/** Request from the benchmark to a server process with the workload. */
export type WorkloadRequest =
  | { readonly type: 'open'; readonly connectionString: string }
  /** Executes runs until they are completed, some of them at a time. */
  | { readonly type: 'run'; readonly runs: number; readonly inFlight: number };
