import type { ServiceIdentifier } from 'inversify';

/** The time that enters commands: that of the database, as leases have it. */
export interface ClockPort {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Clocks that are set by hand (tests) tell when they were, so that what waits for a time looks again. */
  onSet?(listener: () => void): void;
  /** Corrects the clock by a reading of the database's. Clocks that are set by hand are not corrected. */
  correct?(reading: ClockReading): void;
  /** How the system's clock differs from the database's; `undefined` until the first reading. */
  readonly offset?: ClockOffset | undefined;
}

export interface ClockReading {
  /** What the database said, in milliseconds since the epoch. */
  readonly databaseTime: number;
  /** When it was asked, and when its answer was there, by `performance.now()`. */
  readonly sentAt: number;
  readonly receivedAt: number;
  /** The largest offset, in ms, with which the system's clock counts as good. */
  readonly maxOffsetMs: number;
}

export interface ClockOffset {
  /** System minus database: positive where the system's clock is ahead. */
  readonly ms: number;
  readonly isTooLarge: boolean;
}

export const ClockPort: ServiceIdentifier<ClockPort> = Symbol.for('@countersign/core:ClockPort');
