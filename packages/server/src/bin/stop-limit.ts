/** Until the configuration is known, in ms. */
const DEFAULT_MS = 45_000;

/** Ends a process that does not stop in time. */
export class StopLimit {
  #timeoutMs = DEFAULT_MS;
  #timer: NodeJS.Timeout | undefined;

  /** @param exceeded is told how long was waited, in ms */
  constructor(private readonly exceeded: (ms: number) => void) {}

  /** Counts for a stop that begins later. */
  setTimeout(ms: number): void {
    this.#timeoutMs = ms;
  }

  /** The process begins to stop. */
  begin(): void {
    const ms = this.#timeoutMs;
    this.#timer ??= setTimeout(() => this.exceeded(ms), ms).unref();
  }

  /** The process has stopped. */
  end(): void {
    clearTimeout(this.#timer);
  }
}
