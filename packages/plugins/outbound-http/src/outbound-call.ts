import { OutboundHttpError, type OutboundRequest } from '@countersign/core/plugin';
import { toOutboundHttpError, retryableError } from './outbound-errors.js';

const DEFAULT_TIMEOUT_MS = 30_000;
/** Node's timers treat a longer delay as no delay. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Outbound HTTP call in progress, with its time limit and current host. */
export class OutboundCall {
  /** Current host, for error messages. */
  host = 'the host';
  wasSent = false;
  /** Aborted with the caller's signal, at the time limit, and at the end of the call. */
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #abort = (): void => this.#controller.abort();
  readonly #timer: NodeJS.Timeout;
  readonly #timeoutMs: number;
  readonly #callerSignal: AbortSignal | undefined;
  #hasTimedOut = false;

  constructor({ signal, timeoutMs = DEFAULT_TIMEOUT_MS }: OutboundRequest) {
    this.#timeoutMs = timeoutMs;
    this.#callerSignal = signal;
    this.#timer = setTimeout(
      () => {
        this.#hasTimedOut = true;
        this.#controller.abort();
      },
      Math.min(timeoutMs, MAX_TIMER_MS),
    );
    this.signal = this.#controller.signal;
    // Not AbortSignal.any: in Node.js 20, a long-lived signal keeps about a kilobyte for each dependent signal.
    signal?.addEventListener('abort', this.#abort, { once: true });
    if (signal?.aborted === true) this.#abort();
  }

  /**
   * Returns the error for a failed call.
   *
   * @throws the reason with which the caller aborted the call
   */
  toError(error: unknown): OutboundHttpError {
    this.#callerSignal?.throwIfAborted();
    const timeoutError = this.#hasTimedOut
      ? retryableError(
          'outbound_timeout',
          `${this.host} did not send a complete response within ${this.#timeoutMs} ms.`,
        )
      : undefined;
    const { code, message, retryable, cause } = timeoutError ?? toOutboundHttpError(error, this.host);
    return new OutboundHttpError(code, message, retryable, { cause, wasSent: this.wasSent });
  }

  /** Ends the call and aborts anything still in progress, such as a name lookup. */
  end(): void {
    clearTimeout(this.#timer);
    this.#callerSignal?.removeEventListener('abort', this.#abort);
    this.#controller.abort();
  }
}
