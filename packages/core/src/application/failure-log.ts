import type { LoggerPort } from '../ports/logger.js';

/** Interval in which failures of the same work are only counted, in ms. */
const INTERVAL_MS = 60_000;

/** Logs failures of repeated work: the first one immediately, then at most one entry a minute, and the recovery. */
export class FailureLog {
  #loggedAt = -Infinity;
  /** Time of the first logged failure since the last success. */
  #since: number | undefined;
  #notLogged = 0;

  /** @param now milliseconds from any starting point */
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
  failed(error: unknown, details: Readonly<Record<string, unknown>> = {}): void {
    const now = this.now();
    if (now - this.#loggedAt < INTERVAL_MS) {
      this.#notLogged += 1;
      return;
    }
    this.#loggedAt = now;
    this.#since ??= now;
    this.log.warn(
      {
        err: error,
        ...this.fields,
        ...details,
        ...(this.#notLogged === 0 ? {} : { failuresSinceLastEntry: this.#notLogged + 1 }),
      },
      this.message,
    );
    this.#notLogged = 0;
  }

  succeeded(): void {
    if (this.#since === undefined) return;
    const seconds = Math.round((this.now() - this.#since) / 1_000);
    this.#since = undefined;
    this.log.info({ ...this.fields, seconds }, `recovered: ${this.message}`);
  }
}
