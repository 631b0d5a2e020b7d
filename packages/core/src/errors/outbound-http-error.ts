import { CountersignError } from './countersign-error.js';

/**
 * A call to another system came to nothing. The message names the host at most: paths and queries may hold secrets, and
 * the message goes into the history of a run.
 */
export class OutboundHttpError extends CountersignError {
  constructor(
    /** Stable: `outbound_…`. */
    code: string,
    message: string,
    /** Whether the same call may succeed later, with nothing changed. */
    readonly retryable: boolean,
    options?: ErrorOptions,
  ) {
    super(code, message, {}, options);
    this.name = 'OutboundHttpError';
  }
}
