import { FailureLog, type LoggerPort } from '@countersign/core/plugin';

/**
 * Calls `runOnce` repeatedly: when woken, and at the latest after the pause that `runOnce` returned (at most
 * `maxPauseMs`). If `runOnce` fails, the error is logged, and it is called again after `failurePauseMs`.
 */
export class BackgroundLoop {
  private runPromise: Promise<void> | null = null;
  private stopped = true;
  private endPause: (() => void) | null = null;
  private isWakeRequested = false;
  private pauseTimer: NodeJS.Timeout | undefined;

  private readonly failures: FailureLog;

  constructor(
    name: string,
    log: LoggerPort,
    private readonly maxPauseMs: number,
    /** @returns how long to pause, in ms. */
    private readonly runOnce: () => Promise<number>,
    private readonly failurePauseMs: number = maxPauseMs,
  ) {
    this.failures = new FailureLog(log, 'an iteration of a background loop failed; will retry', { loop: name });
  }

  start(): void {
    if (!this.stopped) return;
    this.stopped = false;
    this.runPromise = this.run();
  }

  wake(): void {
    this.isWakeRequested = true;
    this.endPause?.();
  }

  /** Wakes the loop after `ms` milliseconds, even if something else wakes it earlier. */
  wakeIn(ms: number): void {
    const timer = setTimeout(() => this.wake(), Math.max(0, ms));
    timer.unref();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.wake();
    await this.runPromise;
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      this.isWakeRequested = false;
      let pauseMs = this.failurePauseMs;
      try {
        pauseMs = Math.min(this.maxPauseMs, await this.runOnce());
        this.failures.recordSuccess();
      } catch (error) {
        this.failures.recordFailure(error);
      }
      await this.pause(pauseMs);
    }
  }

  private async pause(ms: number): Promise<void> {
    if (this.isWakeRequested || this.stopped) return;
    await new Promise<void>((resolve) => {
      this.endPause = resolve;
      this.pauseTimer = setTimeout(resolve, ms);
    });
    clearTimeout(this.pauseTimer);
    this.endPause = null;
  }
}
