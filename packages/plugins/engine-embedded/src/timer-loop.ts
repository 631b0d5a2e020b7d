import { FailureLog, type ClockPort, type LoggerPort } from '@countersign/core/plugin';
import { BackgroundLoop, isPermanentRefusal, KeyedCounter } from '@countersign/engine';
import { TimerBackoff, type TimerBackoffOptions } from './timer-backoff.js';
import { pickShare } from './pick-share.js';

/** Maximum number of due timers that one poll reads. Servers that share a database pick different timers. */
const MAX_DUE_TIMERS = 4_000;
/**
 * Maximum number of timers that a process fires concurrently: enough for two full transactions. More timers would only
 * wait and be copied by each minor garbage collection.
 */
const MAX_FIRING = 150;
/**
 * Maximum number of timers of one owner that a process fires concurrently. Commands of one run are sequential, so more
 * timers would only take capacity.
 */
const MAX_FIRING_PER_OWNER = 4;
/** Maximum number of timers that are picked per poll. Polls are expensive: most rows belong to other servers. */
const MAX_PICKED_PER_POLL = 500;
/**
 * Maximum number of timers that are picked per poll if their runs are cached: the share of one of two servers that
 * started equally many runs.
 */
const MAX_CACHED_PER_POLL = 2_000;
/** Pause between polls while due timers remain, in ms. */
const BUSY_PAUSE_MS = 20;
/** Maximum number of owners that a poll can exclude. */
const MAX_EXCLUDED_OWNERS = 10_000;

/** Storage of one kind of timers. */
export interface TimerSource<T> {
  /** Returns the due timers, earliest first, without those of the excluded owners. */
  listDue(now: number, limit: number, excludedOwners: readonly string[]): Promise<readonly T[]>;
  /** Returns the due time of the next timer after `now` (ms since the epoch), or `null`. */
  findNextDueTime(now: number): Promise<number | null>;
  /** Returns the unique id of a timer. */
  getId(timer: T): string;
  /** Returns the owner of a timer, for example its run. Limits and pauses apply per owner. */
  getOwner(timer: T): string;
  /** Returns whether this server can fire the timer without loading anything. */
  isCached?(timer: T): boolean;
}

export interface TimerLoopOptions {
  /** Id of this server. It determines the share of the server. */
  readonly instanceId: string;
  /** Interval of polls for timers that other servers have set, in ms. */
  readonly pollMs: number;
  /** Pauses before the timers of an owner are fired again after a failure. */
  readonly backoff: TimerBackoffOptions;
  /** Monotonic clock for the pauses, in ms; for specs. */
  readonly monotonicNow?: () => number;
}

/**
 * Fires due timers. Timers are rows, so those that fell due while no server ran fire at startup. If at most {@link
 * MAX_PICKED_PER_POLL} timers are due, they start in order of their due times. If more are due, each server picks its
 * share of the timers that have been due longest, cached runs first, so that several servers rarely fire the same
 * timer; the commit ensures that each timer fires once. An owner has at most {@link MAX_FIRING_PER_OWNER} timers in
 * progress, and none during the pause after one of its timers failed, so neither many timers of one run nor failing
 * timers delay those of other owners.
 */
export class TimerLoop<T> {
  private readonly loop: BackgroundLoop;
  private readonly firingTimers = new Map<string, Promise<void>>();
  /** Timers being fired, by owner. */
  private readonly firingByOwner = new KeyedCounter();
  private readonly backoff: TimerBackoff;
  /** Owner and number of failures of each failed timer. */
  private readonly failuresByTimer = new Map<string, { readonly owner: string; readonly times: number }>();
  /** Timers that failed, by owner. */
  private readonly failedTimersByOwner = new KeyedCounter();
  private readonly failures: FailureLog;
  /** Timers that were picked but not started, earliest first. */
  private pickedTimers: T[] = [];
  /** Whether the last poll left due timers unpicked. */
  private hasMore = false;
  private polledAt = -Infinity;
  /** Number of timers in progress at or below which the loop wakes. */
  private wakeThreshold = 0;

  constructor(
    name: string,
    private readonly options: TimerLoopOptions,
    private readonly source: TimerSource<T>,
    private readonly clock: ClockPort,
    log: LoggerPort,
    private readonly fire: (timer: T) => Promise<void>,
  ) {
    this.loop = new BackgroundLoop(name, log, options.pollMs, () => this.runOnce());
    this.backoff = new TimerBackoff(options.backoff, options.monotonicNow);
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
    await Promise.all(this.firingTimers.values());
  }

  /** Number of owners with a failed timer. */
  get failingCount(): number {
    return this.backoff.count;
  }

  private async runOnce(): Promise<number> {
    if (this.clock.offset?.isTooLarge === true) {
      // Another server, whose clock is right, fires the timers.
      this.pickedTimers = [];
      return Number.POSITIVE_INFINITY;
    }
    const now = this.clock.now();
    this.firePickedTimers();
    if (this.firingTimers.size < MAX_FIRING && this.shouldPoll()) {
      await this.poll(now);
      this.firePickedTimers();
    }
    const isFull = this.firingTimers.size >= MAX_FIRING;
    const isAnyOwnerAtLimit = this.firingByOwner.keysWithAtLeast(MAX_FIRING_PER_OWNER).length > 0;
    this.wakeThreshold = isFull
      ? MAX_FIRING / 2
      : this.pickedTimers.length > 0 || isAnyOwnerAtLimit
        ? this.firingTimers.size - 1
        : 0;
    if (isFull) return this.options.pollMs;
    if (this.hasMore || this.pickedTimers.length > 0) return BUSY_PAUSE_MS;
    const next = await this.source.findNextDueTime(now);
    const pause = next === null ? Number.POSITIVE_INFINITY : Math.max(0, next - this.clock.now());
    return Math.min(pause, this.backoff.msUntilNextRetry());
  }

  /** Returns whether a poll is allowed. While timers wait to start, polls are limited to one per interval. */
  private shouldPoll(): boolean {
    return this.pickedTimers.length === 0 || performance.now() - this.polledAt >= BUSY_PAUSE_MS;
  }

  private async poll(now: number): Promise<void> {
    this.polledAt = performance.now();
    const excludedOwners = new Set(this.backoff.pausedKeys());
    for (const timer of this.pickedTimers) excludedOwners.add(this.source.getOwner(timer));
    // Owners at their limit cannot start more.
    for (const owner of this.firingByOwner.keysWithAtLeast(MAX_FIRING_PER_OWNER)) excludedOwners.add(owner);
    if (excludedOwners.size > MAX_EXCLUDED_OWNERS) return;
    const due = await this.source.listDue(now, MAX_DUE_TIMERS, [...excludedOwners]);
    const waiting = due.filter((timer) => !this.firingTimers.has(this.source.getId(timer)));
    // Timers that failed before go to the back.
    if (this.failuresByTimer.size > 0) waiting.sort((a, b) => this.failureCount(a) - this.failureCount(b));
    const picked = pickShare(waiting, {
      limit: MAX_PICKED_PER_POLL,
      cachedLimit: MAX_CACHED_PER_POLL,
      getOwner: (timer) => this.source.getOwner(timer),
      isCached: (timer) => this.source.isCached?.(timer) === true,
      server: this.options.instanceId,
    });
    this.pickedTimers.push(...picked);
    this.hasMore = picked.length < waiting.length || due.length === MAX_DUE_TIMERS;
    if (this.backoff.count > 0 && due.length < MAX_DUE_TIMERS) {
      for (const timer of due) excludedOwners.add(this.source.getOwner(timer));
      this.backoff.keepOnly(excludedOwners);
      for (const [id, { owner }] of this.failuresByTimer)
        if (!excludedOwners.has(owner) && !this.backoff.has(owner)) {
          this.failuresByTimer.delete(id);
          this.failedTimersByOwner.decrement(owner);
        }
    }
  }

  private failureCount(timer: T): number {
    return this.failuresByTimer.get(this.source.getId(timer))?.times ?? 0;
  }

  private firePickedTimers(): void {
    const remaining: T[] = [];
    for (const timer of this.pickedTimers) {
      const owner = this.source.getOwner(timer);
      // A poll after the pause finds the timer again.
      if (this.backoff.isPaused(owner)) continue;
      if (this.firingTimers.size < MAX_FIRING && this.firingByOwner.get(owner) < MAX_FIRING_PER_OWNER)
        this.fireTimer(timer, owner);
      else remaining.push(timer);
    }
    this.pickedTimers = remaining;
  }

  private fireTimer(timer: T, owner: string): void {
    const id = this.source.getId(timer);
    this.firingByOwner.increment(owner);
    const promise = this.fire(timer)
      .then(
        () => {
          if (this.failuresByTimer.delete(id)) this.failedTimersByOwner.decrement(owner);
          // Other timers of the owner may still fail.
          if (this.failedTimersByOwner.get(owner) === 0) this.backoff.recordSuccess(owner);
          if (this.backoff.count === 0) this.failures.recordSuccess();
        },
        (error: unknown) => {
          const { attempts, pauseMs } = this.backoff.recordFailure(owner, !isPermanentRefusal(error));
          const times = this.failureCount(timer);
          if (times === 0) this.failedTimersByOwner.increment(owner);
          this.failuresByTimer.set(id, { owner, times: times + 1 });
          this.failures.recordFailure(error, { timer: id, owner, attempts, pauseMs });
          // The loop chose its pause before this failure.
          this.loop.wake();
        },
      )
      .finally(() => {
        this.firingTimers.delete(id);
        this.firingByOwner.decrement(owner);
        if (this.firingTimers.size <= this.wakeThreshold) this.loop.wake();
      });
    this.firingTimers.set(id, promise);
  }
}
