import type { ClockPort, LoggerPort, StoragePort } from '@countersign/core/plugin';
import { WakeableLoop } from './wakeable-loop.js';

const DUE_AT_ONCE = 100;

/** Fires timers that are due, earliest first. Timers are rows: what fell due while no server ran fires at the start. */
export class TimerLoop {
  private readonly loop: WakeableLoop;

  constructor(
    private readonly storage: StoragePort,
    private readonly clock: ClockPort,
    log: LoggerPort,
    pollMs: number,
    private readonly fire: (timer: { timerId: string; runId: string }) => Promise<void>,
  ) {
    this.loop = new WakeableLoop('timers', log, pollMs, () => this.round());
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
    const due = await this.storage.dueTimers(this.clock.now(), DUE_AT_ONCE);
    await Promise.all(due.map((timer) => this.fire(timer)));
    if (due.length === DUE_AT_ONCE) return 0;
    const next = await this.storage.nextTimerAt();
    return next === null ? Number.POSITIVE_INFINITY : Math.max(0, next - this.clock.now());
  }
}
