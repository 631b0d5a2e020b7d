import { OutboundHttpError, type OutboundRequest } from '@countersign/core/plugin';
import { explained, failed } from './failures.js';

const DEFAULT_TIMEOUT_MS = 30_000;
/** What is longer, Node's timers take for no time at all. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** One call in progress: how long it may take, and where it has come to. */
export class Call {
  /** For what is said if it fails there. */
  host = 'the host';
  wasSent = false;
  /** Aborted with the signal of the caller, when the time is over, and at the end. */
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
    // Not AbortSignal.any: under Node.js 20, a signal that lives long keeps a kilobyte of each that follows it.
    signal?.addEventListener('abort', this.#abort, { once: true });
    if (signal?.aborted === true) this.#abort();
  }

  /** What is thrown where it fails. @throws what the caller has aborted it with */
  failure(error: unknown): OutboundHttpError {
    this.#given?.throwIfAborted();
    const late = this.#isLate
      ? failed('outbound_timeout', `${this.host} did not answer completely within ${this.#timeoutMs} ms.`)
      : undefined;
    const { code, message, retryable, cause } = late ?? explained(error, this.host);
    return new OutboundHttpError(code, message, retryable, { cause, wasSent: this.wasSent });
  }

  /** Whatever still goes on, such as the look-up of a name, has nobody to answer to. */
  end(): void {
    clearTimeout(this.#timer);
    this.#given?.removeEventListener('abort', this.#abort);
    this.#stop.abort();
  }
}
