import type { ClockPort } from '@countersign/core/plugin';
import { currentTime } from '@countersign/testing';

/**
 * Clock set by hand. It also advances by a millisecond on each read, so that of two events in different runs the
 * earlier one has the earlier time.
 */
export class TestClock implements ClockPort {
  private at = currentTime();
  private readonly listeners: (() => void)[] = [];

  now(): number {
    this.at += 1;
    return this.at;
  }

  /** Returns the time without advancing the clock. */
  get time(): number {
    return this.at;
  }

  onSet(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Never moves the clock back. */
  setTo(time: number): void {
    this.at = Math.max(this.at, time);
    for (const listener of this.listeners) listener();
  }
}
