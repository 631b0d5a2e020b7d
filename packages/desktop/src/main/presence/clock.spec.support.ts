import type { Clock } from './clock.js';

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/** A clock that the test advances by hand. */
export class ManualClock implements Clock {
  private timers: Timer[] = [];

  constructor(private time = Date.parse('2026-11-23T10:00:00.000Z')) {}

  now(): number {
    return this.time;
  }

  schedule(ms: number, run: () => void): () => void {
    const timer = { at: this.time + ms, run };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((each) => each !== timer);
    };
  }

  /** Advances the time and runs the due timers in order. */
  advance(ms: number): void {
    const end = this.time + ms;
    for (let findNextDueTimer = this.next(end); findNextDueTimer !== undefined; findNextDueTimer = this.next(end)) {
      this.timers = this.timers.filter((each) => each !== findNextDueTimer);
      this.time = findNextDueTimer.at;
      findNextDueTimer.run();
    }
    this.time = end;
  }

  /** Simulates sleep of the machine: time passes, but no timer fires. */
  sleep(ms: number): void {
    this.time += ms;
  }

  private next(end: number): Timer | undefined {
    return this.timers.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)[0];
  }
}
