import type { ServiceIdentifier } from 'inversify';

/** The clock that commands use. It follows the database clock, as leases do. */
export interface ClockPort {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls the listener when a manual clock (in tests) is set, so that code that waits for a time checks it again. */
  onSet?(listener: () => void): void;
  /** Corrects the clock by a reading of the database clock. Manual clocks are not corrected. */
  correct?(reading: ClockReading): void;
  /** The difference between the system clock and the database clock; `undefined` until the first reading. */
  readonly offset?: ClockOffset | undefined;
}

export interface ClockReading {
  /** The time of the database, in ms since the epoch. */
  readonly databaseTime: number;
  /** When the query was sent and when its result arrived, by `performance.now()`. */
  readonly sentAt: number;
  readonly receivedAt: number;
  /** The largest offset that counts as accurate, in ms. */
  readonly maxOffsetMs: number;
}

export interface ClockOffset {
  /** System clock minus database clock, in ms; positive if the system clock is ahead. */
  readonly ms: number;
  readonly isTooLarge: boolean;
}

export const ClockPort: ServiceIdentifier<ClockPort> = Symbol.for('@countersign/core:ClockPort');
