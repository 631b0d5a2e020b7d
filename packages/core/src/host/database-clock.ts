import type { ClockOffset, ClockPort, ClockReading } from '../ports/clock.js';

/** The system's clock is taken as it is while it differs by no more, in ms. */
const TOLERANCE_MS = 20;

/** A reading of the database's clock, as a point on the steady clock of this process. */
interface Base {
  readonly databaseTime: number;
  readonly steadyTime: number;
  /** How far from the truth the reading may be, in ms. */
  readonly errorMs: number;
  readonly maxOffsetMs: number;
}

/**
 * The system's clock, corrected by the database's. Between two readings the process's steady clock counts, so a system clock
 * that is wrong or is set while the server runs changes no time. Until the first reading it is the system's clock.
 */
export class DatabaseClock implements ClockPort {
  #base: Base | undefined;

  /**
   * @param system milliseconds since the epoch
   * @param steady milliseconds from any starting point, which nobody sets
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
    // A slow answer that fits a quicker one before it is the worse reading of the same time.
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
