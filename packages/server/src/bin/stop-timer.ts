/** Timeout until the configuration is known, in ms. */
const DEFAULT_TIMEOUT_MS = 45_000;

/** Timer that reports when a process does not stop in time. */
export class StopTimer {
  #timeoutMs = DEFAULT_TIMEOUT_MS;
  #timer: NodeJS.Timeout | undefined;

  /** @param onExceeded receives the time waited, in ms */
  constructor(private readonly onExceeded: (ms: number) => void) {}

  /** Sets the timeout of a stop that starts later. */
  setTimeoutMs(ms: number): void {
    this.#timeoutMs = ms;
  }

  /** Starts the timer. Call it when the stop begins. */
  start(): void {
    const ms = this.#timeoutMs;
    this.#timer ??= setTimeout(() => this.onExceeded(ms), ms).unref();
  }

  /** Clears the timer. Call it when the stop is complete. */
  clear(): void {
    clearTimeout(this.#timer);
  }
}
