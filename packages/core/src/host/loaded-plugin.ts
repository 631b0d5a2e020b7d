import type { Plugin } from './define-plugin.js';

/** What a plugin's package.json says under `countersign`. */
export interface PluginManifest {
  readonly id: string;
  /** Range of versions of the plugin API, for example `^0.1.0`. */
  readonly api: string;
}

/** A plugin that came from a package. */
export interface LoadedPlugin {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each plugin has a configuration of its own type
  readonly plugin: Plugin<any>;
  readonly manifest: PluginManifest;
  /** Where it was loaded from, for errors. */
  readonly origin: string;
}
