import type { LoggerPort } from '../ports/logger.js';

/** Time after a log entry in which further failures are only counted, in ms. */
const MIN_INTERVAL_MS = 60_000;

/** Logs failures of repeated work: the first one immediately, then at most one entry a minute, and the recovery. */
export class FailureLog {
  #lastLoggedAt = -Infinity;
  /** Time of the first logged failure since the last success. */
  #failingSince: number | undefined;
  #suppressedCount = 0;

  /** @param now returns the current time in milliseconds, from any starting point */
  constructor(
    private readonly log: Pick<LoggerPort, 'info' | 'warn'>,
    private readonly message: string,
    private readonly fields: Readonly<Record<string, unknown>> = {},
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * Logs a failure, at most once a minute.
   *
   * @param details fields of this failure, added to its log entry
   */
  recordFailure(error: unknown, details: Readonly<Record<string, unknown>> = {}): void {
    const now = this.now();
    if (now - this.#lastLoggedAt < MIN_INTERVAL_MS) {
      this.#suppressedCount += 1;
      return;
    }
    this.#lastLoggedAt = now;
    this.#failingSince ??= now;
    this.log.warn(
      {
        err: error,
        ...this.fields,
        ...details,
        ...(this.#suppressedCount === 0 ? {} : { failuresSinceLastEntry: this.#suppressedCount + 1 }),
      },
      this.message,
    );
    this.#suppressedCount = 0;
  }

  recordSuccess(): void {
    if (this.#failingSince === undefined) return;
    const seconds = Math.round((this.now() - this.#failingSince) / 1_000);
    this.#failingSince = undefined;
    this.log.info({ ...this.fields, seconds }, `recovered: ${this.message}`);
  }
}
