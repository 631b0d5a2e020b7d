import type { ServiceIdentifier } from 'inversify';

/** Start and stop hooks of a plugin. Run in registration order on start and in reverse order on stop. */
export interface LifecycleContribution {
  readonly name: string;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export const LifecycleContribution: ServiceIdentifier<LifecycleContribution> = Symbol.for(
  '@countersign/core:LifecycleContribution',
);
