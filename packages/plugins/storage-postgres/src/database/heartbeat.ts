const INTERVAL_MS = 2_000;

/**
 * Runs a statement at regular intervals, at most one at a time. A broken connection does not respond to it, so it is
 * closed (watched-connections.ts) before a command needs it.
 */
export class Heartbeat {
  readonly #timer: NodeJS.Timeout;
  #isRunning = false;

  /** @param runStatement runs the statement; failures are ignored, because the connection reports its loss */
  constructor(private readonly runStatement: () => Promise<unknown>) {
    this.#timer = setInterval(() => void this.#run(), INTERVAL_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    await this.runStatement().catch(() => undefined);
    this.#isRunning = false;
  }
}
