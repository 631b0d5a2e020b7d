import type { ClockOffset, ClockPort, ClockReading } from '../ports/clock.js';

/** Maximum deviation, in ms, at which the system's clock is used without correction. */
const TOLERANCE_MS = 20;

/** A reading of the database's clock, relative to the steady clock of this process. */
interface Base {
  readonly databaseTime: number;
  readonly steadyTime: number;
  /** Maximum error of the reading, in ms. */
  readonly errorMs: number;
  readonly maxOffsetMs: number;
}

/**
 * The system's clock, corrected by the database's. Between readings, time advances by the process's steady clock, so a
 * wrong or changed system clock has no effect. Before the first reading, this is the system's clock.
 */
export class DatabaseClock implements ClockPort {
  #base: Base | undefined;

  /**
   * Creates a clock without a reading.
   *
   * @param system milliseconds since the epoch
   * @param steady milliseconds from an arbitrary start; never adjusted
   */
  constructor(
    private readonly system: () => number = () => Date.now(),
    private readonly steady: () => number = () => performance.now(),
  ) {}

  now(): number {
    const system = this.system();
    const base = this.#base;
    if (base === undefined) return system;
    const corrected = this.#databaseTime(base);
    return Math.abs(system - corrected) <= TOLERANCE_MS + base.errorMs ? system : Math.round(corrected);
  }

  get offset(): ClockOffset | undefined {
    const base = this.#base;
    if (base === undefined) return undefined;
    const ms = this.system() - this.#databaseTime(base);
    return { ms, isTooLarge: Math.abs(ms) > base.maxOffsetMs + base.errorMs };
  }

  correct({ databaseTime, sentAt, receivedAt, maxOffsetMs }: ClockReading): void {
    const errorMs = (receivedAt - sentAt) / 2;
    const read: Base = { databaseTime, steadyTime: sentAt + errorMs, errorMs, maxOffsetMs };
    const known = this.#base;
    // A slow reading that is consistent with an earlier, quicker one is the less accurate reading of the same time.
    const fits =
      known !== undefined &&
      errorMs > known.errorMs &&
      Math.abs(this.#databaseTime(known) - this.#databaseTime(read)) <= errorMs;
    this.#base = fits ? { ...known, maxOffsetMs } : read;
  }

  #databaseTime({ databaseTime, steadyTime }: Base): number {
    return databaseTime + this.steady() - steadyTime;
  }
}
