import type { ServiceIdentifier } from 'inversify';
import type { z } from 'zod';
import type { Live } from './live.js';
import { attachCore } from './plugin-core.js';

/**
 * A plugin: one export of a package. `register` declares its bindings and contributions and performs no I/O. To start
 * and stop something, contribute a {@link LifecycleContribution}.
 */
export interface Plugin<Config extends z.ZodType = z.ZodType> {
  /** Id, unique in a host. Error messages name the plugin by it. */
  readonly id: string;
  /**
   * The plugin's part of the configuration: a zod object whose top-level keys are sections, for example `z.object({
   * Storage: z.object({ Postgres: … }) })`. Secrets are {@link secret} values.
   */
  readonly config?: Config;
  /**
   * Ports and contribution points. The plugins that bind them or contribute to them start before this plugin and stop
   * after it. Without dependencies, plugins start in registration order.
   */
  readonly dependsOn?: readonly ServiceIdentifier[];
  register(registry: PluginRegistry<z.infer<Config>>): void;
}

/** The registration interface for a plugin. It hides the container. */
export interface PluginRegistry<Config> {
  /** The configuration at the time the host was assembled. */
  readonly config: Config;
  /** The current configuration, including settings that an admin saves while the server runs. */
  readonly live: Live<Config>;
  /**
   * Binds an implementation to a port. If two plugins bind the same port, startup fails with an error that names both.
   */
  bind<T>(port: ServiceIdentifier<T>, implementation: Implementation<T>): void;
  /**
   * Binds an implementation to a port that no plugin binds, provided that all dependencies of the class are available.
   * If the default is not used, the contributions of the class are ignored too.
   */
  bindDefault<T>(port: ServiceIdentifier<T>, implementation: Implementation<T>): void;
  /** Adds a contribution to a point. Any number of plugins may do so. */
  contribute<T>(point: ServiceIdentifier<T>, implementation: Implementation<T>): void;
  /** Provides a value (for example the parsed configuration) to the plugin's own classes. */
  provide<T>(token: ServiceIdentifier<T>, value: T): void;
}

/** A class whose constructor arguments are all `@inject(Token)`. The whole host shares one instance. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- constructor arguments are the container's business
export type Implementation<T> = new (...args: any[]) => T;

/**
 * Declares a plugin with type inference. Also records which copy of this package the plugin uses, so that the host can
 * refuse an incompatible one.
 */
export function definePlugin<Config extends z.ZodType>(plugin: Plugin<Config>): Plugin<Config> {
  return attachCore(plugin);
}
