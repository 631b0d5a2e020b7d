import type { ClockPort, LoggerPort } from '@countersign/core/plugin';
import { pickShare } from './pick-share.js';
import { WakeableLoop } from './wakeable-loop.js';

/** Timers that are looked at together. Servers that share a database pick different ones of them. */
const WINDOW = 4_000;
/** Timers that one process fires at a time: enough to keep two full transactions under way. */
const AT_ONCE = 500;
/** Timers of runs at hand that are taken from one look: most of the rows that a look reads are others', so that looks are dear. */
const FROM_ONE_LOOK = 1_000;
/** Between looks at what falls due while others are being fired, in ms. */
const PAUSE_MEANWHILE_MS = 20;

/** Timers of one kind, as rows. */
export interface TimerRows<T> {
  /** Those that are due, earliest first. */
  due(now: number, limit: number): Promise<readonly T[]>;
  /** When the next one is due (ms since the epoch), or `null`. */
  nextAt(): Promise<number | null>;
  /** What tells a timer from all others. */
  idOf(timer: T): string;
  /** What a timer belongs to: those of one owner are fired in order, by one server. */
  ownerOf(timer: T): string;
  /** Whether this server can fire it without loading anything. */
  isAtHand?(timer: T): boolean;
}

/**
 * Fires timers that are due. Timers are rows: what fell due while no server ran fires at the start.
 *
 * As long as no more than {@link AT_ONCE} are due, the earliest begins first. Of more, each server takes its share of those
 * that are due longest, first those whose runs it has at hand, so that several servers don't all fire the same ones; that each
 * fires once is up to the commit.
 */
export class TimerLoop<T> {
  private readonly loop: WakeableLoop;
  private readonly firing = new Map<string, Promise<void>>();
  /** The share of the last look that has not begun, earliest first. */
  private share: T[] = [];
  /** Whether the last look left others. */
  private hasLeft = false;
  private failure: { readonly error: unknown } | undefined;
  /** Whether the last round that fired something failed. */
  private isFailing = false;
  private roomMade: (() => void) | undefined;

  /** @param instanceId of this server: decides its share */
  constructor(
    name: string,
    private readonly instanceId: string,
    private readonly rows: TimerRows<T>,
    private readonly clock: ClockPort,
    log: LoggerPort,
    pollMs: number,
    private readonly fire: (timer: T) => Promise<void>,
  ) {
    this.loop = new WakeableLoop(name, log, pollMs, () => this.round());
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

  private async round(): Promise<number> {
    if (this.clock.offset?.isTooLarge === true) {
      // Another server, whose clock is right, fires them.
      this.share = [];
      return Number.POSITIVE_INFINITY;
    }
    this.throwFailure();
    if (this.share.length === 0) await this.look();
    for (const timer of this.share.splice(0, AT_ONCE - this.firing.size)) this.begin(timer);
    if (this.isFailing) {
      // Rounds that fail one after the other are logged as one failure, so this one says how it ended.
      await this.untilFiring(0);
      this.throwFailure();
      this.isFailing = false;
    }
    if (this.share.length > 0 || this.hasLeft) {
      await this.untilFiring(AT_ONCE / 2);
      return 0;
    }
    const next = await this.rows.nextAt();
    const pause = next === null ? Number.POSITIVE_INFINITY : Math.max(0, next - this.clock.now());
    // What is being fired is still there, and due. It may take long, where somebody has locked its run.
    return this.firing.size === 0 ? pause : Math.max(pause, PAUSE_MEANWHILE_MS);
  }

  private async look(): Promise<void> {
    const due = await this.rows.due(this.clock.now(), WINDOW);
    const waiting = due.filter((timer) => !this.firing.has(this.rows.idOf(timer)));
    this.share = pickShare(waiting, {
      room: AT_ONCE - this.firing.size,
      roomAtHand: FROM_ONE_LOOK,
      ownerOf: (timer) => this.rows.ownerOf(timer),
      isAtHand: (timer) => this.rows.isAtHand?.(timer) === true,
      server: this.instanceId,
    });
    this.hasLeft = this.share.length < waiting.length || due.length === WINDOW;
  }

  /** What could not be fired is tried again after the pause that follows a failed round. */
  private throwFailure(): void {
    if (this.failure === undefined) return;
    const { error } = this.failure;
    this.failure = undefined;
    this.isFailing = true;
    this.share = [];
    throw error;
  }

  private begin(timer: T): void {
    const id = this.rows.idOf(timer);
    const fired = this.fire(timer)
      .catch((error: unknown) => {
        this.failure ??= { error };
      })
      .finally(() => {
        this.firing.delete(id);
        this.roomMade?.();
        // A round that follows a failure waits for this itself, and the pause behind it must not be cut short.
        if (this.firing.size === 0 && !this.isFailing) this.loop.wake();
      });
    this.firing.set(id, fired);
  }

  /** Waits until no more than so many are being fired. */
  private async untilFiring(most: number): Promise<void> {
    while (this.firing.size > most) await new Promise<void>((resolve) => (this.roomMade = resolve));
    this.roomMade = undefined;
  }
}
