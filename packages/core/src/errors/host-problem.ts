/** One reason why a host can't start. */
export interface HostProblem {
  /** Stable, snake_case. */
  readonly code: string;
  /** For people: what is wrong, where it comes from, and how to put it right. Never a secret. */
  readonly message: string;
  /** The plugins concerned. */
  readonly plugins?: readonly string[];
  /** The saved setting that it comes from. */
  readonly setting?: string;
  /** What a plugin threw. */
  readonly cause?: unknown;
}
