/** Order of the benchmark for a server process. */
export type TimerRequest =
  | { readonly type: 'open'; readonly connectionString: string }
  | { readonly type: 'deploy'; readonly bpmnXml: string }
  /** Starts runs, each with one timer. @see TimerOrder.dueAt ISO 8601 */
  | { readonly type: 'start'; readonly workflowId: string; readonly runs: number; readonly dueAt: string }
  | { readonly type: 'close' };

export interface TimerResponse {
  readonly error?: string;
}
