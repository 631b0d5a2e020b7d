import { growingPause } from '@countersign/model';

/** Pauses between attempts, in ms. */
export interface Pauses {
  readonly firstMs: number;
  readonly maxMs: number;
  /** Longest pause after a transient fault, such as a lost connection. */
  readonly maxTransientMs: number;
}

interface Failing {
  readonly attempts: number;
  /** Number of attempts that failed with a transient fault. */
  readonly transient: number;
  /** Time when the next attempt may start. */
  readonly until: number;
}

/** Tracks failures by key and makes each key wait for growing pauses. */
export class Backoff {
  private readonly failing = new Map<string, Failing>();

  /** @param now monotonic clock, in ms */
  constructor(
    private readonly pauses: Pauses,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * Records a failure. A failure during a pause started before it and counts as the same attempt.
   *
   * @returns the pause until the next attempt, in ms, and how many attempts have failed
   */
  failed(key: string, isTransient: boolean): { readonly attempts: number; readonly pauseMs: number } {
    const known = this.failing.get(key);
    const now = this.now();
    if (known !== undefined && known.until > now) return { attempts: known.attempts, pauseMs: known.until - now };
    const attempts = (known?.attempts ?? 0) + 1;
    const transient = (known?.transient ?? 0) + Number(isTransient);
    const { firstMs, maxMs, maxTransientMs } = this.pauses;
    // An outage must not lengthen the pauses after a permanent fault.
    const ofKind = isTransient ? transient : attempts - transient;
    const pauseMs = growingPause(ofKind, firstMs, isTransient ? maxTransientMs : maxMs);
    this.failing.set(key, { attempts, transient, until: now + pauseMs });
    return { attempts, pauseMs };
  }

  succeeded(key: string): void {
    this.failing.delete(key);
  }

  has(key: string): boolean {
    return this.failing.has(key);
  }

  isPaused(key: string): boolean {
    return (this.failing.get(key)?.until ?? -Infinity) > this.now();
  }

  /** Returns the keys that wait for their next attempt. */
  paused(): string[] {
    const now = this.now();
    return [...this.failing].flatMap(([key, { until }]) => (until > now ? [key] : []));
  }

  /** Forgets keys that may be retried and are not in `present`. */
  keepOnly(present: ReadonlySet<string>): void {
    const now = this.now();
    for (const [key, { until }] of this.failing) if (until <= now && !present.has(key)) this.failing.delete(key);
  }

  /** Returns the time until the next attempt, in ms, or `Infinity`. */
  nextMs(): number {
    const now = this.now();
    let next = Infinity;
    for (const { until } of this.failing.values()) if (until > now) next = Math.min(next, until - now);
    return next;
  }

  get count(): number {
    return this.failing.size;
  }
}
