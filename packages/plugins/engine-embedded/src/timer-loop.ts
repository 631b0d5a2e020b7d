import { FailureLog, type ClockPort, type LoggerPort } from '@countersign/core/plugin';
import { Backoff, type Pauses } from './backoff.js';
import { KeyedCounter } from './keyed-counter.js';
import { pickShare } from './pick-share.js';
import { isPermanentRefusal } from './error-classification.js';
import { BackgroundLoop } from './background-loop.js';

/** Timers that are looked at together. Servers that share a database pick different ones of them. */
const WINDOW = 4_000;
/**
 * Maximum number of timers that a process fires at once: enough for two full transactions. More would wait, and be copied by each
 * minor garbage collection.
 */
const AT_ONCE = 150;
/** Maximum per owner. Commands of one run are sequential, so more would only take capacity. */
const AT_ONCE_PER_OWNER = 4;
/** Timers that are taken from one look. Looks are expensive: most rows belong to other servers. */
const PER_LOOK = 500;
/** Timers that are taken from one look if their runs are in memory. */
const AT_HAND_PER_LOOK = 1_000;
/** Between looks at what falls due while others are being fired, in ms. */
const PAUSE_MEANWHILE_MS = 20;
/** Maximum number of owners that a look can exclude. */
const MAX_LEFT_OUT = 10_000;

/** Timers of one kind, as rows. */
export interface TimerRows<T> {
  /** Timers that are due, earliest first, without those of the excluded owners. */
  due(now: number, limit: number, exceptOwners: readonly string[]): Promise<readonly T[]>;
  /** Due time of the next timer after `now` (ms since the epoch), or `null`. */
  nextAt(now: number): Promise<number | null>;
  /** What tells a timer from all others. */
  idOf(timer: T): string;
  /** What a timer belongs to: those of one owner are fired in order, by one server. */
  ownerOf(timer: T): string;
  /** Whether this server can fire it without loading anything. */
  isAtHand?(timer: T): boolean;
}

export interface TimerLoopOptions {
  /** Of this server: decides its share. */
  readonly instanceId: string;
  /** How often to look for timers that other servers have set, in ms. */
  readonly pollMs: number;
  /** Between attempts to fire the timers of one owner, one of which has failed. */
  readonly pauses: Pauses;
  /** Monotonic clock for the pauses, in ms; for specs. */
  readonly steadyNow?: () => number;
}

/**
 * Fires timers that are due. Timers are rows: what fell due while no server ran fires at the start.
 *
 * As long as no more than {@link PER_LOOK} are due, the earliest begins first. Of more, each server takes its share of
 * those that are due longest, first those whose runs it has at hand, so that several servers don't all fire the same ones; that
 * each fires once is up to the commit. An owner has at most {@link AT_ONCE_PER_OWNER} in progress, and none during the pause after
 * one of its timers has failed, so neither many timers of one run nor failing ones delay those of others.
 */
export class TimerLoop<T> {
  private readonly loop: BackgroundLoop;
  private readonly firing = new Map<string, Promise<void>>();
  /** Timers being fired, by owner. */
  private readonly firingOf = new KeyedCounter();
  private readonly failed: Backoff;
  /** By timer: its owner, and how often it failed. */
  private readonly timesFailed = new Map<string, { readonly owner: string; readonly times: number }>();
  /** Timers that failed, by owner. */
  private readonly failedOf = new KeyedCounter();
  private readonly failures: FailureLog;
  /** Timers that were taken and not started yet, earliest first. */
  private share: T[] = [];
  /** Whether the last look left others. */
  private hasLeft = false;
  private lookedAt = -Infinity;
  /** Wakes the loop when no more than this many are being fired. */
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
      // Another server, whose clock is right, fires them.
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

  /** While timers wait to start, looks are limited to one per interval. */
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
    // Those that failed before go to the back.
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
      // Found again by a look after the pause.
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
          // Others of the owner may still fail.
          if (this.failedOf.of(owner) === 0) this.failed.succeeded(owner);
          if (this.failed.count === 0) this.failures.succeeded();
        },
        (error: unknown) => {
          const { attempts, pauseMs } = this.failed.failed(owner, !isPermanentRefusal(error));
          const times = this.timesFailedOf(timer);
          if (times === 0) this.failedOf.add(owner);
          this.timesFailed.set(id, { owner, times: times + 1 });
          this.failures.failed(error, { timer: id, owner, attempts, pauseMs });
          // The pause of the loop was chosen before.
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
