import { offersPluginApi, PLUGIN_API_VERSION } from './plugin-api.js';

/** The copy of this package that a plugin is made with. */
export interface PluginCore {
  readonly version: string;
  /** URL of a module in it; `undefined` where a bundler left none. */
  readonly from: string | undefined;
}

/** One object in each copy of this package, so that its identity tells copies apart. */
export const THIS_CORE: PluginCore = Object.freeze({ version: PLUGIN_API_VERSION, from: import.meta.url });

const MADE_WITH = Symbol.for('@countersign/core:madeWith');

/** Notes on a plugin which copy of this package it is made with. */
export function noteCore<T extends object>(plugin: T): T {
  return Object.defineProperty(plugin, MADE_WITH, { value: THIS_CORE, configurable: true });
}

/** The copy of this package that a plugin brings along; `undefined` where it uses this one, or was not made by `definePlugin`. */
export function ownCoreOf(plugin: object): PluginCore | undefined {
  const core = (plugin as { readonly [MADE_WITH]?: PluginCore })[MADE_WITH];
  return core === THIS_CORE ? undefined : core;
}

/** Whether this package offers all that another copy of it offers, by the rules of semantic versioning. */
export function isCompatible({ version }: PluginCore): boolean {
  return offersPluginApi(`^${version}`);
}
