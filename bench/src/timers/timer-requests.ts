/** Request from the benchmark to a server process. */
export type TimerRequest =
  | { readonly type: 'open'; readonly connectionString: string }
  | { readonly type: 'deploy'; readonly bpmnXml: string }
  /** Starts runs, each with one timer that is due at `dueAt` (ISO 8601). */
  | { readonly type: 'start'; readonly workflowId: string; readonly runs: number; readonly dueAt: string };
