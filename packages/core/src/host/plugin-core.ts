import { satisfiesPluginApi, PLUGIN_API_VERSION } from './plugin-api.js';

/** The copy of this package that a plugin uses. */
export interface PluginCore {
  readonly version: string;
  /** URL of a module in the copy; `undefined` if a bundler removed it. */
  readonly from: string | undefined;
}

/** The copy of this package that runs here. Each copy has its own object, so identity distinguishes copies. */
export const RUNNING_CORE: PluginCore = Object.freeze({ version: PLUGIN_API_VERSION, from: import.meta.url });

const CORE_KEY = Symbol.for('@countersign/core:madeWith');

/** Records on a plugin which copy of this package it uses. */
export function attachCore<T extends object>(plugin: T): T {
  return Object.defineProperty(plugin, CORE_KEY, { value: RUNNING_CORE, configurable: true });
}

/**
 * Returns the plugin's own copy of this package; `undefined` if the plugin uses this copy or was not created by
 * `definePlugin`.
 */
export function findBundledCore(plugin: object): PluginCore | undefined {
  const core = (plugin as { readonly [CORE_KEY]?: PluginCore })[CORE_KEY];
  return core === RUNNING_CORE ? undefined : core;
}

/** Returns whether this package is compatible with another copy, by semantic versioning. */
export function isCompatibleCore({ version }: PluginCore): boolean {
  return satisfiesPluginApi(`^${version}`);
}
