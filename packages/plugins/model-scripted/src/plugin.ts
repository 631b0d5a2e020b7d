import { definePlugin, LifecycleContribution, ModelProviderContribution } from '@countersign/core/plugin';
import { ScriptedModels } from './scripted-models.js';
import { ScriptedModelsConfiguration, ScriptedModelsConfigurationSchema } from './configuration.js';

/** Language models with scripted responses. Without a configured script, the provider does not exist. */
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
