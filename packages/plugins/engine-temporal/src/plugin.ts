import { definePlugin, type Plugin } from '@countersign/core/plugin';
import { ENGINE_DEPENDS_ON, registerEngine } from '@countersign/engine';
import { TemporalConfiguration, TemporalConfigurationSchema } from './configuration.js';
import { TemporalEngine } from './temporal-engine.js';

/** Plugin of the engine on a Temporal cluster, selected by `Engine:Adapter` = `temporal`. */
export const engineTemporalPlugin: Plugin<typeof TemporalConfigurationSchema> = definePlugin({
  id: 'engine-temporal',
  config: TemporalConfigurationSchema,
  dependsOn: ENGINE_DEPENDS_ON,
  register(registry) {
    registry.provide(TemporalConfiguration, registry.config.Engine.Temporal);
    registerEngine(registry, TemporalEngine);
  },
});
