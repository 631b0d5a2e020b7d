import { CountersignError } from './countersign-error.js';

/**
 * A call to another system came to nothing. The message names the host at most: paths and queries may hold secrets, and
 * the message goes into the history of a run.
 */
export class OutboundHttpError extends CountersignError {
  /** Whether anything of the call may have got to another system. Where not, it was surely not made. */
  readonly wasSent: boolean;

  constructor(
    /** Stable: `outbound_…`. */
    code: string,
    message: string,
    /** Whether the same call may succeed later, with nothing changed. */
    readonly retryable: boolean,
    { wasSent = true, ...options }: ErrorOptions & { readonly wasSent?: boolean } = {},
  ) {
    super(code, message, {}, options);
    this.name = 'OutboundHttpError';
    this.wasSent = wasSent;
  }
}
