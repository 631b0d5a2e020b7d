import type { Plugin } from './define-plugin.js';

/** The manifest of a plugin: `countersign` in its package.json. */
export interface PluginManifest {
  readonly id: string;
  /** Supported version range of the plugin API, for example `^0.1.0`. */
  readonly api: string;
}

/** A plugin that was loaded from a package. */
export interface LoadedPlugin {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each plugin has a configuration of its own type
  readonly plugin: Plugin<any>;
  readonly manifest: PluginManifest;
  /** Package name or path that the plugin was loaded from, for errors. */
  readonly origin: string;
}
