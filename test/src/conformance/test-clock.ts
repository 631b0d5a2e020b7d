import type { ClockPort } from '@countersign/core/plugin';
import { currentTime } from '@countersign/testing';

/**
 * Clock set by hand. It also advances by a millisecond on each read, so that of two events in different runs the
 * earlier one has the earlier time.
 */
export class TestClock implements ClockPort {
  private currentMs = currentTime();

  now(): number {
    this.currentMs += 1;
    return this.currentMs;
  }

  /** Returns the time without advancing the clock. */
  get time(): number {
    return this.currentMs;
  }

  /** Sets the clock. An earlier time does not move it back. */
  setTo(time: number): void {
    this.currentMs = Math.max(this.currentMs, time);
  }
}
