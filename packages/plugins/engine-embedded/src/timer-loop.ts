import type { ClockPort, LoggerPort } from '@countersign/core/plugin';
import { WakeableLoop } from './wakeable-loop.js';

const DUE_AT_ONCE = 100;

/** Timers of one kind, as rows. */
export interface TimerRows<T> {
  /** Those that are due, earliest first. */
  due(now: number, limit: number): Promise<readonly T[]>;
  /** When the next one is due (ms since the epoch), or `null`. */
  nextAt(): Promise<number | null>;
}

/** Fires timers that are due, earliest first. Timers are rows: what fell due while no server ran fires at the start. */
export class TimerLoop<T> {
  private readonly loop: WakeableLoop;

  constructor(
    name: string,
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

  stop(): Promise<void> {
    return this.loop.stop();
  }

  private async round(): Promise<number> {
    const due = await this.rows.due(this.clock.now(), DUE_AT_ONCE);
    await Promise.all(due.map((timer) => this.fire(timer)));
    if (due.length === DUE_AT_ONCE) return 0;
    const next = await this.rows.nextAt();
    return next === null ? Number.POSITIVE_INFINITY : Math.max(0, next - this.clock.now());
  }
}
