import type { ServiceIdentifier } from 'inversify';

/** What a plugin does when the host starts and stops. Started in the order of registration, stopped in the reverse. */
export interface LifecycleContribution {
  readonly name: string;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export const LifecycleContribution: ServiceIdentifier<LifecycleContribution> = Symbol.for(
  '@countersign/core:LifecycleContribution',
);
