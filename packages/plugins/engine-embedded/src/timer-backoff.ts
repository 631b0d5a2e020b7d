import { computeExponentialBackoffMs } from '@countersign/model';

/** Pauses between attempts, in ms. */
export interface TimerBackoffOptions {
  readonly firstMs: number;
  readonly maxMs: number;
  /** Longest pause after a transient error, such as a lost connection. */
  readonly maxTransientMs: number;
}

interface FailureState {
  readonly attempts: number;
  /** Number of attempts that failed with a transient error. */
  readonly transientAttempts: number;
  /** Time when the next attempt may start. */
  readonly pausedUntil: number;
}

/** Tracks failures by key and makes each key wait with exponential backoff. */
export class TimerBackoff {
  private readonly failureByKey = new Map<string, FailureState>();

  /** @param now monotonic clock, in ms */
  constructor(
    private readonly options: TimerBackoffOptions,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * Records a failure. A failure that is recorded during a pause is from work that started before the pause, and does
   * not count as another attempt.
   *
   * @returns the pause until the next attempt, in ms, and how many attempts have failed
   */
  recordFailure(key: string, isTransient: boolean): { readonly attempts: number; readonly pauseMs: number } {
    const known = this.failureByKey.get(key);
    const now = this.now();
    if (known !== undefined && known.pausedUntil > now)
      return { attempts: known.attempts, pauseMs: known.pausedUntil - now };
    const attempts = (known?.attempts ?? 0) + 1;
    const transientAttempts = (known?.transientAttempts ?? 0) + Number(isTransient);
    const { firstMs, maxMs, maxTransientMs } = this.options;
    // An outage must not lengthen the pauses after a permanent error.
    const attemptsOfKind = isTransient ? transientAttempts : attempts - transientAttempts;
    const pauseMs = computeExponentialBackoffMs(attemptsOfKind, firstMs, isTransient ? maxTransientMs : maxMs);
    this.failureByKey.set(key, { attempts, transientAttempts, pausedUntil: now + pauseMs });
    return { attempts, pauseMs };
  }

  recordSuccess(key: string): void {
    this.failureByKey.delete(key);
  }

  has(key: string): boolean {
    return this.failureByKey.has(key);
  }

  isPaused(key: string): boolean {
    return (this.failureByKey.get(key)?.pausedUntil ?? -Infinity) > this.now();
  }

  /** Returns the keys that wait for their next attempt. */
  pausedKeys(): string[] {
    const now = this.now();
    return [...this.failureByKey].flatMap(([key, { pausedUntil }]) => (pausedUntil > now ? [key] : []));
  }

  /** Forgets keys that may be retried and are not in `keysToKeep`. */
  keepOnly(keysToKeep: ReadonlySet<string>): void {
    const now = this.now();
    for (const [key, { pausedUntil }] of this.failureByKey)
      if (pausedUntil <= now && !keysToKeep.has(key)) this.failureByKey.delete(key);
  }

  /** Returns the time until the next attempt, in ms; `Infinity` if no key is paused. */
  msUntilNextRetry(): number {
    const now = this.now();
    let next = Infinity;
    for (const { pausedUntil } of this.failureByKey.values())
      if (pausedUntil > now) next = Math.min(next, pausedUntil - now);
    return next;
  }

  get count(): number {
    return this.failureByKey.size;
  }
}
