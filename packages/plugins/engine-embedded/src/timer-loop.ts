import { FailureLog, type ClockPort, type LoggerPort } from '@countersign/core/plugin';
import { Backoff, type Pauses } from './backoff.js';
import { KeyedCounter } from './keyed-counter.js';
import { pickShare } from './pick-share.js';
import { isPermanentRefusal } from './error-classification.js';
import { BackgroundLoop } from './background-loop.js';

/** Maximum number of timers per poll. Servers that share a database pick different ones of them. */
const WINDOW = 4_000;
/**
 * Maximum number of timers that a process fires at once: enough for two full transactions. More would wait, and be copied by each
 * minor garbage collection.
 */
const AT_ONCE = 150;
/** Maximum per owner. Commands of one run are sequential, so more would only take capacity. */
const AT_ONCE_PER_OWNER = 4;
/** Maximum number of timers that are taken per poll. Polls are expensive: most rows belong to other servers. */
const PER_LOOK = 500;
/** Maximum number of timers that are taken per poll if their runs are in memory. */
const AT_HAND_PER_LOOK = 1_000;
/** Pause between polls while timers are being fired, in ms. */
const PAUSE_MEANWHILE_MS = 20;
/** Maximum number of owners that a poll can exclude. */
const MAX_LEFT_OUT = 10_000;

/** Storage of one kind of timers. */
export interface TimerRows<T> {
  /** Returns the due timers, earliest first, without those of the excluded owners. */
  due(now: number, limit: number, exceptOwners: readonly string[]): Promise<readonly T[]>;
  /** Returns the due time of the next timer after `now` (ms since the epoch), or `null`. */
  nextAt(now: number): Promise<number | null>;
  /** Returns the unique id of a timer. */
  idOf(timer: T): string;
  /** Returns the owner of a timer. Timers of one owner are fired in order, by one server. */
  ownerOf(timer: T): string;
  /** Returns whether this server can fire the timer without loading anything. */
  isAtHand?(timer: T): boolean;
}

export interface TimerLoopOptions {
  /** Id of this server. It determines the share of the server. */
  readonly instanceId: string;
  /** How often to poll for timers that other servers have set, in ms. */
  readonly pollMs: number;
  /** Pauses before the timers of an owner are fired again after a failure. */
  readonly pauses: Pauses;
  /** Monotonic clock for the pauses, in ms; for specs. */
  readonly steadyNow?: () => number;
}

/**
 * Fires due timers. Timers are rows, so those that fell due while no server ran fire at startup. If at most {@link
 * PER_LOOK} timers are due, they start in order of their due times. If more are due, each server takes its share of
 * those overdue longest, preferring runs that it has at hand, so that several servers rarely fire the same timer; the
 * commit ensures that each fires once. An owner has at most {@link AT_ONCE_PER_OWNER} timers in progress, and none
 * during the pause after one of its timers failed, so neither many timers of one run nor failing timers delay those of
 * other owners.
 */
export class TimerLoop<T> {
  private readonly loop: BackgroundLoop;
  private readonly firing = new Map<string, Promise<void>>();
  /** Timers being fired, by owner. */
  private readonly firingOf = new KeyedCounter();
  private readonly failed: Backoff;
  /** Owner and number of failures of each failed timer. */
  private readonly timesFailed = new Map<string, { readonly owner: string; readonly times: number }>();
  /** Timers that failed, by owner. */
  private readonly failedOf = new KeyedCounter();
  private readonly failures: FailureLog;
  /** Timers that were taken but not started, earliest first. */
  private share: T[] = [];
  /** Whether the last poll left due timers. */
  private hasLeft = false;
  private lookedAt = -Infinity;
  /** Number of timers in progress at or below which the loop wakes. */
  private wakesAt = 0;

  constructor(
    name: string,
    private readonly options: TimerLoopOptions,
    private readonly rows: TimerRows<T>,
    private readonly clock: ClockPort,
    log: LoggerPort,
    private readonly fire: (timer: T) => Promise<void>,
  ) {
    this.loop = new BackgroundLoop(name, log, options.pollMs, () => this.round());
    this.failed = new Backoff(options.pauses, options.steadyNow);
    this.failures = new FailureLog(log, 'could not fire a timer; it will be retried', { loop: name });
    clock.onSet?.(() => this.wake());
  }

  start(): void {
    this.loop.start();
  }

  wake(): void {
    this.loop.wake();
  }

  async stop(): Promise<void> {
    await this.loop.stop();
    await Promise.all(this.firing.values());
  }

  /** Number of owners with a failed timer. */
  get failing(): number {
    return this.failed.count;
  }

  private async round(): Promise<number> {
    if (this.clock.offset?.isTooLarge === true) {
      // Another server, whose clock is right, fires the timers.
      this.share = [];
      return Number.POSITIVE_INFINITY;
    }
    const now = this.clock.now();
    this.beginSome();
    if (this.firing.size < AT_ONCE && this.mayLook()) {
      await this.look(now);
      this.beginSome();
    }
    const isFull = this.firing.size >= AT_ONCE;
    const isSomeoneAtLimit = this.firingOf.atLeast(AT_ONCE_PER_OWNER).length > 0;
    this.wakesAt = isFull ? AT_ONCE / 2 : this.share.length > 0 || isSomeoneAtLimit ? this.firing.size - 1 : 0;
    if (isFull) return this.options.pollMs;
    if (this.hasLeft || this.share.length > 0) return PAUSE_MEANWHILE_MS;
    const next = await this.rows.nextAt(now);
    const pause = next === null ? Number.POSITIVE_INFINITY : Math.max(0, next - this.clock.now());
    return Math.min(pause, this.failed.nextMs());
  }

  /** Returns whether a poll is allowed. While timers wait to start, polls are limited to one per interval. */
  private mayLook(): boolean {
    return this.share.length === 0 || performance.now() - this.lookedAt >= PAUSE_MEANWHILE_MS;
  }

  private async look(now: number): Promise<void> {
    this.lookedAt = performance.now();
    const leftOut = new Set(this.failed.paused());
    for (const timer of this.share) leftOut.add(this.rows.ownerOf(timer));
    // Owners at their limit cannot start more.
    for (const owner of this.firingOf.atLeast(AT_ONCE_PER_OWNER)) leftOut.add(owner);
    if (leftOut.size > MAX_LEFT_OUT) return;
    const due = await this.rows.due(now, WINDOW, [...leftOut]);
    const waiting = due.filter((timer) => !this.firing.has(this.rows.idOf(timer)));
    // Timers that failed before go to the back.
    if (this.timesFailed.size > 0) waiting.sort((a, b) => this.timesFailedOf(a) - this.timesFailedOf(b));
    const taken = pickShare(waiting, {
      room: PER_LOOK,
      roomAtHand: AT_HAND_PER_LOOK,
      ownerOf: (timer) => this.rows.ownerOf(timer),
      isAtHand: (timer) => this.rows.isAtHand?.(timer) === true,
      server: this.options.instanceId,
    });
    this.share.push(...taken);
    this.hasLeft = taken.length < waiting.length || due.length === WINDOW;
    if (this.failed.count > 0 && due.length < WINDOW) {
      for (const timer of due) leftOut.add(this.rows.ownerOf(timer));
      this.failed.keepOnly(leftOut);
      for (const [id, { owner }] of this.timesFailed)
        if (!leftOut.has(owner) && !this.failed.has(owner)) {
          this.timesFailed.delete(id);
          this.failedOf.remove(owner);
        }
    }
  }

  private timesFailedOf(timer: T): number {
    return this.timesFailed.get(this.rows.idOf(timer))?.times ?? 0;
  }

  private beginSome(): void {
    const left: T[] = [];
    for (const timer of this.share) {
      const owner = this.rows.ownerOf(timer);
      // A poll after the pause finds the timer again.
      if (this.failed.isPaused(owner)) continue;
      if (this.firing.size < AT_ONCE && this.firingOf.of(owner) < AT_ONCE_PER_OWNER) this.begin(timer, owner);
      else left.push(timer);
    }
    this.share = left;
  }

  private begin(timer: T, owner: string): void {
    const id = this.rows.idOf(timer);
    this.firingOf.add(owner);
    const fired = this.fire(timer)
      .then(
        () => {
          if (this.timesFailed.delete(id)) this.failedOf.remove(owner);
          // Other timers of the owner may still fail.
          if (this.failedOf.of(owner) === 0) this.failed.succeeded(owner);
          if (this.failed.count === 0) this.failures.succeeded();
        },
        (error: unknown) => {
          const { attempts, pauseMs } = this.failed.failed(owner, !isPermanentRefusal(error));
          const times = this.timesFailedOf(timer);
          if (times === 0) this.failedOf.add(owner);
          this.timesFailed.set(id, { owner, times: times + 1 });
          this.failures.failed(error, { timer: id, owner, attempts, pauseMs });
          // The loop chose its pause before this failure.
          this.loop.wake();
        },
      )
      .finally(() => {
        this.firing.delete(id);
        this.firingOf.remove(owner);
        if (this.firing.size <= this.wakesAt) this.loop.wake();
      });
    this.firing.set(id, fired);
  }
}
