import type { ServiceIdentifier } from 'inversify';
import type { z } from 'zod';
import type { Live } from './live.js';
import { noteCore } from './plugin-core.js';

/**
 * A plugin: one export of a package. `register` declares what it binds and contributes, and does no input or output;
 * starting and stopping is a {@link LifecycleContribution}.
 */
export interface Plugin<Config extends z.ZodType = z.ZodType> {
  /** Unique in a host; also how errors name it. */
  readonly id: string;
  /**
   * Its part of the configuration: a zod object whose top-level keys are sections, for example
   * `z.object({ Storage: z.object({ Postgres: … }) })`. Secrets are {@link secret} values.
   */
  readonly config?: Config;
  /**
   * Ports and contribution points: the plugins that bind them or contribute to them start before this one and stop after
   * it. Otherwise plugins start in the order in which they are registered.
   */
  readonly dependsOn?: readonly ServiceIdentifier[];
  register(registry: PluginRegistry<z.infer<Config>>): void;
}

/** The narrow facade that a plugin gets, never the container. */
export interface PluginRegistry<Config> {
  /** As it was when the host was put together. */
  readonly config: Config;
  /** The same part as it is now: what an admin saves while the server runs is seen here. */
  readonly live: Live<Config>;
  /** Implements a port. Two plugins that bind the same port are a start-up error that names both. */
  bind<T>(port: ServiceIdentifier<T>, implementation: Implementation<T>): void;
  /**
   * Implements a port that no plugin binds, provided that all that the class needs is there. What the same class contributes
   * counts only then.
   */
  bindDefault<T>(port: ServiceIdentifier<T>, implementation: Implementation<T>): void;
  /** Adds to a contribution point; any number of plugins may. */
  contribute<T>(point: ServiceIdentifier<T>, implementation: Implementation<T>): void;
  /** Gives a value (for example the parsed configuration) to the plugin's own classes. */
  provide<T>(token: ServiceIdentifier<T>, value: T): void;
}

/** A class whose constructor arguments are all `@inject(Token)`. One instance serves the whole host. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- constructor arguments are the container's business
export type Implementation<T> = new (...args: any[]) => T;

/**
 * Declares a plugin, for its types. It also notes on the plugin which copy of this package it uses, so that the host can
 * refuse one that does not fit.
 */
export function definePlugin<Config extends z.ZodType>(plugin: Plugin<Config>): Plugin<Config> {
  return noteCore(plugin);
}
