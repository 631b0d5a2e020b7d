/** A reason why a host cannot start. */
export interface HostProblem {
  /** Stable code in snake_case. */
  readonly code: string;
  /** Message for users: the problem, its origin and the fix. Never contains a secret. */
  readonly message: string;
  /** Ids of the plugins concerned. */
  readonly plugins?: readonly string[];
  /** Key of the saved setting that causes the problem. */
  readonly setting?: string;
  /** Error thrown by a plugin. */
  readonly cause?: unknown;
}
