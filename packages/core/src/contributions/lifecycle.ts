import type { ServiceIdentifier } from 'inversify';

/**
 * Start and stop hooks of a plugin. On start, they run in start order: the registration order unless `dependsOn`
 * requires otherwise. On stop, they run in reverse order.
 */
export interface LifecycleContribution {
  readonly name: string;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export const LifecycleContribution: ServiceIdentifier<LifecycleContribution> = Symbol.for(
  '@countersign/core:LifecycleContribution',
);
