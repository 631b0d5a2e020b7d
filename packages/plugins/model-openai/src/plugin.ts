import { definePlugin, ModelProviderContribution } from '@countersign/core/plugin';
import { LiveOpenAiConfiguration, OpenAiConfigurationSchema } from './configuration.js';
import { createCompatibleModels, OpenAiModels } from './openai-models.js';

/** Language models with the Chat Completions API: `openai`, and each server in `Models:OpenAICompatible`. */
export const modelOpenaiPlugin = definePlugin({
  id: 'model-openai',
  config: OpenAiConfigurationSchema,
  register({ config, contribute, live, provide }) {
    provide(LiveOpenAiConfiguration, live);
    contribute(ModelProviderContribution, OpenAiModels);
    for (const { Id } of config.Models.OpenAICompatible)
      contribute(ModelProviderContribution, createCompatibleModels(Id));
  },
});

export { modelOpenaiPlugin as plugin };
