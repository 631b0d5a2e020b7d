import type { ServiceIdentifier } from 'inversify';

/** The time that enters commands. Leases go by the database's clock, not by this one. */
export interface ClockPort {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Clocks that are set by hand (tests) tell when they were, so that what waits for a time looks again. */
  onSet?(listener: () => void): void;
}

export const ClockPort: ServiceIdentifier<ClockPort> = Symbol.for('@countersign/core:ClockPort');
