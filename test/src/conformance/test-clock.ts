import type { ClockPort } from '@countersign/core/plugin';
import { currentTime } from '@countersign/testing';

/**
 * A clock that is set by hand. It also goes on by a millisecond whenever somebody looks at it, so that of two things in
 * different runs the one that happened first has the earlier time.
 */
export class TestClock implements ClockPort {
  private at = currentTime();
  private readonly listeners: (() => void)[] = [];

  now(): number {
    this.at += 1;
    return this.at;
  }

  /** The time, without looking at the clock. */
  get time(): number {
    return this.at;
  }

  onSet(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Never back. */
  setTo(time: number): void {
    this.at = Math.max(this.at, time);
    for (const listener of this.listeners) listener();
  }
}
