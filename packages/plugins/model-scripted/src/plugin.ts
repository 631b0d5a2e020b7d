import { definePlugin, LifecycleContribution, ModelProviderContribution } from '@countersign/core/plugin';
import { ScriptedModels } from './scripted-models.js';
import { ScriptedModelsConfiguration, ScriptedModelsConfigurationSchema } from './configuration.js';

/** Models that answer from scripts. Where no script is configured there is no such provider. */
export const modelScriptedPlugin = definePlugin({
  id: 'model-scripted',
  config: ScriptedModelsConfigurationSchema,
  register({ config, contribute, provide }) {
    const { Directory, File } = config.Models.Scripted;
    if (Directory === undefined && File === undefined) return;
    provide(ScriptedModelsConfiguration, config);
    contribute(ModelProviderContribution, ScriptedModels);
    contribute(LifecycleContribution, ScriptedModels);
  },
});

export { modelScriptedPlugin as plugin };
