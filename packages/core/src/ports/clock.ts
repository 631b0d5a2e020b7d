import type { ServiceIdentifier } from 'inversify';

/** The time that enters commands. Leases go by the database's clock, not by this one. */
export interface ClockPort {
  /** Milliseconds since the epoch. */
  now(): number;
}

export const ClockPort: ServiceIdentifier<ClockPort> = Symbol.for('@countersign/core:ClockPort');
