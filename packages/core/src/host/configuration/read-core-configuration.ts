import { CoreConfigurationSchema, type CoreConfiguration } from './core-configuration.js';
import type { ConfigurationView } from './configuration-view.js';
import type { ConfigurationLayers } from './layers.js';
import { resolveConfiguration } from './resolve-configuration.js';

/** The core's configuration before any plugin is known, for what must be decided before there is a host. */
export interface EarlyConfiguration {
  /** `undefined` where it is wrong; {@link createHost} will say how. */
  readonly core: CoreConfiguration | undefined;
  /** As it is written, right or wrong. */
  readonly view: ConfigurationView;
}

export function readCoreConfiguration(layers: ConfigurationLayers): EarlyConfiguration {
  const { parsed, view } = resolveConfiguration([{ owner: 'core', schema: CoreConfigurationSchema }], layers);
  return { core: parsed.get('core') as CoreConfiguration | undefined, view };
}
