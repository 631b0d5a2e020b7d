import { OutboundHttpError, type OutboundRequest } from '@countersign/core/plugin';
import { explained, failed } from './failures.js';

const DEFAULT_TIMEOUT_MS = 30_000;
/** Node's timers treat a longer delay as no delay. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A call in progress, with its time limit and current host. */
export class Call {
  /** Current host, for error messages. */
  host = 'the host';
  wasSent = false;
  /** Aborted with the caller's signal, at the time limit, and at the end of the call. */
  readonly signal: AbortSignal;
  readonly #stop = new AbortController();
  readonly #abort = (): void => this.#stop.abort();
  readonly #timer: NodeJS.Timeout;
  readonly #timeoutMs: number;
  readonly #given: AbortSignal | undefined;
  #isLate = false;

  constructor({ signal, timeoutMs = DEFAULT_TIMEOUT_MS }: OutboundRequest) {
    this.#timeoutMs = timeoutMs;
    this.#given = signal;
    this.#timer = setTimeout(
      () => {
        this.#isLate = true;
        this.#stop.abort();
      },
      Math.min(timeoutMs, LONGEST_TIMER_MS),
    );
    this.signal = this.#stop.signal;
    // Not AbortSignal.any: in Node.js 20, a long-lived signal keeps about a kilobyte for each dependent signal.
    signal?.addEventListener('abort', this.#abort, { once: true });
    if (signal?.aborted === true) this.#abort();
  }

  /**
   * Returns the error for a failed call.
   *
   * @throws the reason with which the caller aborted the call
   */
  failure(error: unknown): OutboundHttpError {
    this.#given?.throwIfAborted();
    const late = this.#isLate
      ? failed('outbound_timeout', `${this.host} did not send a complete response within ${this.#timeoutMs} ms.`)
      : undefined;
    const { code, message, retryable, cause } = late ?? explained(error, this.host);
    return new OutboundHttpError(code, message, retryable, { cause, wasSent: this.wasSent });
  }

  /** Ends the call and aborts anything still in progress, such as a name lookup. */
  end(): void {
    clearTimeout(this.#timer);
    this.#given?.removeEventListener('abort', this.#abort);
    this.#stop.abort();
  }
}
