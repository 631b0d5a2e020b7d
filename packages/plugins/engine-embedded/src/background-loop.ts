import { FailureLog, type LoggerPort } from '@countersign/core/plugin';

/**
 * Runs a round repeatedly: when woken, and at the latest after the pause that the round returned. A failed round is
 * logged and repeated after the longest pause.
 */
export class BackgroundLoop {
  private running: Promise<void> | null = null;
  private stopped = true;
  private wakeUp: (() => void) | null = null;
  private woken = false;
  private due: NodeJS.Timeout | undefined;

  private readonly failures: FailureLog;

  constructor(
    name: string,
    log: LoggerPort,
    private readonly maxPauseMs: number,
    /** @returns how long to pause, in ms. */
    private readonly round: () => Promise<number>,
  ) {
    this.failures = new FailureLog(log, 'a background round failed and will be repeated', { loop: name });
  }

  start(): void {
    if (!this.stopped) return;
    this.stopped = false;
    this.running = this.run();
  }

  wake(): void {
    this.woken = true;
    this.wakeUp?.();
  }

  /** Wakes the loop after `ms` milliseconds, unless something wakes it earlier. */
  wakeIn(ms: number): void {
    const timer = setTimeout(() => this.wake(), Math.max(0, ms));
    timer.unref();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.wake();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      this.woken = false;
      let pause = this.maxPauseMs;
      try {
        pause = Math.min(pause, await this.round());
        this.failures.succeeded();
      } catch (error) {
        this.failures.failed(error);
      }
      await this.pause(pause);
    }
  }

  private async pause(ms: number): Promise<void> {
    if (this.woken || this.stopped) return;
    await new Promise<void>((resolve) => {
      this.wakeUp = resolve;
      this.due = setTimeout(resolve, ms);
    });
    clearTimeout(this.due);
    this.wakeUp = null;
  }
}
