import type { ClockOffset, ClockPort, ClockReading } from '../ports/clock.js';

/** Maximum deviation, in ms, up to which the system's clock is used without correction. */
const TOLERANCE_MS = 20;

/** A reading of the database's clock, relative to the monotonic clock of this process. */
interface Reading {
  readonly databaseTime: number;
  readonly monotonicTime: number;
  /** Maximum error of the reading, in ms. */
  readonly errorMs: number;
  readonly maxOffsetMs: number;
}

/**
 * The system's clock, or the database's if the two deviate by more than a tolerance. Between readings, the database's
 * time advances by the monotonic clock of this process. Before the first reading, this is the system's clock.
 */
export class DatabaseClock implements ClockPort {
  #reading: Reading | undefined;

  /**
   * Creates a clock without a reading.
   *
   * @param wallTime milliseconds since the epoch
   * @param monotonicTime milliseconds from an arbitrary start; never adjusted
   */
  constructor(
    private readonly wallTime: () => number = () => Date.now(),
    private readonly monotonicTime: () => number = () => performance.now(),
  ) {}

  now(): number {
    const systemNow = this.wallTime();
    const reading = this.#reading;
    if (reading === undefined) return systemNow;
    const corrected = this.#databaseTime(reading);
    return Math.abs(systemNow - corrected) <= TOLERANCE_MS + reading.errorMs ? systemNow : Math.round(corrected);
  }

  get offset(): ClockOffset | undefined {
    const reading = this.#reading;
    if (reading === undefined) return undefined;
    const ms = this.wallTime() - this.#databaseTime(reading);
    return { ms, isTooLarge: Math.abs(ms) > reading.maxOffsetMs + reading.errorMs };
  }

  correct({ databaseTime, sentAt, receivedAt, maxOffsetMs }: ClockReading): void {
    const errorMs = (receivedAt - sentAt) / 2;
    const newReading: Reading = {
      databaseTime,
      monotonicTime: sentAt + errorMs,
      errorMs,
      maxOffsetMs,
    };
    const previous = this.#reading;
    // If a slow reading is consistent with an earlier, faster one, the earlier one is kept, because it is more
    // accurate.
    const isPreviousBetter =
      previous !== undefined &&
      errorMs > previous.errorMs &&
      Math.abs(this.#databaseTime(previous) - this.#databaseTime(newReading)) <= errorMs;
    this.#reading = isPreviousBetter ? { ...previous, maxOffsetMs } : newReading;
  }

  #databaseTime({ databaseTime, monotonicTime }: Reading): number {
    return databaseTime + this.monotonicTime() - monotonicTime;
  }
}
