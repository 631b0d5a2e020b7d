/**
 * How long a run counts as failing after the last attempt of this server, in ms. Longer than any pause between attempts
 * of its workflow. Another server may make the next attempt.
 */
const FAILING_TTL_MS = 120_000;

/** Timers that this process could not fire, by run. */
export class FailedTimers {
  private readonly failures = new Map<string, { readonly failedAt: number; readonly timerIds: ReadonlySet<string> }>();

  /** @param now monotonic clock, in ms */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Number of runs with a timer that this process could not fire. */
  get runCount(): number {
    const cutoff = this.now() - FAILING_TTL_MS;
    for (const [runId, { failedAt }] of this.failures) if (failedAt < cutoff) this.failures.delete(runId);
    return this.failures.size;
  }

  /**
   * Records the result of an attempt to fire the timers of a run.
   *
   * @param timers those that failed in this attempt or in an earlier one, and are still open
   */
  record(runId: string, timers: readonly { readonly timerId: string }[]): void {
    if (timers.length === 0) this.failures.delete(runId);
    else this.failures.set(runId, { failedAt: this.now(), timerIds: new Set(timers.map(({ timerId }) => timerId)) });
  }

  forget(runId: string): void {
    this.failures.delete(runId);
  }

  has(runId: string, timerId: string): boolean {
    return this.failures.get(runId)?.timerIds.has(timerId) === true;
  }
}
