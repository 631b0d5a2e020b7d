/** Limit until the configuration is known, in ms. */
const DEFAULT_MS = 45_000;

/** Ends a process that does not stop in time. */
export class StopLimit {
  #timeoutMs = DEFAULT_MS;
  #timer: NodeJS.Timeout | undefined;

  /** @param onExceeded receives the time waited, in ms */
  constructor(private readonly onExceeded: (ms: number) => void) {}

  /** Sets the limit of a stop that starts later. */
  setLimit(ms: number): void {
    this.#timeoutMs = ms;
  }

  /** Starts the limit when the process starts to stop. */
  start(): void {
    const ms = this.#timeoutMs;
    this.#timer ??= setTimeout(() => this.onExceeded(ms), ms).unref();
  }

  /** Clears the limit when the process has stopped. */
  clear(): void {
    clearTimeout(this.#timer);
  }
}
