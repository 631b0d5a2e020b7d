import type { ServiceIdentifier } from 'inversify';
import type { PolicyFunction } from '../domain/policy.js';

/** The policy in force. */
export interface PolicyPort {
  /** The policy bound to one digest; asked once for each command, so that a change takes effect between commands. */
  current(): PolicyFunction;
}

export const PolicyPort: ServiceIdentifier<PolicyPort> = Symbol.for('@countersign/core:PolicyPort');
