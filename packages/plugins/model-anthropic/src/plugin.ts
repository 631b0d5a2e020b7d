import { definePlugin, ModelProviderContribution } from '@countersign/core/plugin';
import { AnthropicModels } from './anthropic-models.js';
import { AnthropicConfigurationSchema, LiveAnthropicConfiguration } from './configuration.js';

/** Language models of the Messages API of Anthropic: the provider `anthropic`. */
export const modelAnthropicPlugin = definePlugin({
  id: 'model-anthropic',
  config: AnthropicConfigurationSchema,
  register({ contribute, live, provide }) {
    provide(LiveAnthropicConfiguration, live);
    contribute(ModelProviderContribution, AnthropicModels);
  },
});

export { modelAnthropicPlugin as plugin };
