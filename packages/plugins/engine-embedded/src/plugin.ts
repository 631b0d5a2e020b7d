import { definePlugin, SettingsTestContribution } from '@countersign/core/plugin';
import { ENGINE_DEPENDS_ON, registerEngine } from '@countersign/engine';
import { EmbeddedEngine } from './embedded-engine.js';
import { EngineTest } from './engine-test.js';

/** Plugin that runs workflows in this process, on the bound storage. */
export const engineEmbeddedPlugin = definePlugin({
  id: 'engine-embedded',
  dependsOn: ENGINE_DEPENDS_ON,
  register(registry) {
    registerEngine(registry, EmbeddedEngine);
    registry.contribute(SettingsTestContribution, EngineTest);
  },
});
