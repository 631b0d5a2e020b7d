import { CoreConfigurationSchema, type CoreConfiguration } from './core-configuration.js';
import type { ConfigurationView } from './configuration-view.js';
import type { ConfigurationLayers } from './configuration-layers.js';
import { resolveConfiguration } from './resolve-configuration.js';

/** The core's configuration, read before any plugin is loaded, for code that runs before the host is assembled. */
export interface EarlyConfiguration {
  /** The configuration; `undefined` if it is invalid. `createHost` reports the reason. */
  readonly core: CoreConfiguration | undefined;
  /** The configuration as written, valid or not. */
  readonly view: ConfigurationView;
}

export function readCoreConfiguration(layers: ConfigurationLayers): EarlyConfiguration {
  const { parsed, view } = resolveConfiguration([{ owner: 'core', schema: CoreConfigurationSchema }], layers);
  return { core: parsed.get('core') as CoreConfiguration | undefined, view };
}
