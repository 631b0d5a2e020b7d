/**
 * How long a run counts as failing after the last attempt of this server, in ms. Longer than any pause between attempts
 * of its workflow, although another server may make the next attempt.
 */
const FAILING_TTL_MS = 120_000;
/** How long failures are remembered, in ms: other servers may have made all later attempts. */
const MEMORY_MS = 3_600_000;

interface RunFailures {
  failedAt: number;
  readonly timerIds: Set<string>;
}

/** Timers that this process could not fire, by run. */
export class FailedTimers {
  private readonly failures = new Map<string, RunFailures>();

  /** @param now monotonic clock, in ms */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Number of runs with a timer that this process could not fire lately. */
  get runCount(): number {
    const cutoff = this.now() - FAILING_TTL_MS;
    return [...this.failures.values()].filter(({ failedAt }) => failedAt >= cutoff).length;
  }

  add(runId: string, timerId: string): void {
    const now = this.now();
    for (const [id, { failedAt }] of this.failures) if (failedAt < now - MEMORY_MS) this.failures.delete(id);
    const known = this.failures.get(runId);
    if (known === undefined) this.failures.set(runId, { failedAt: now, timerIds: new Set([timerId]) });
    else {
      known.failedAt = now;
      known.timerIds.add(timerId);
    }
  }

  hasAny(runId: string): boolean {
    return this.failures.has(runId);
  }

  has(runId: string, timerId: string): boolean {
    return this.failures.get(runId)?.timerIds.has(timerId) === true;
  }

  /** Forgets the timers of a run that are no longer open. */
  keepOnly(runId: string, openTimers: readonly { readonly timerId: string }[]): void {
    const known = this.failures.get(runId);
    if (known === undefined) return;
    const openIds = new Set(openTimers.map(({ timerId }) => timerId));
    for (const timerId of known.timerIds) if (!openIds.has(timerId)) known.timerIds.delete(timerId);
    if (known.timerIds.size === 0) this.failures.delete(runId);
  }
}
