import { modelAnthropicPlugin } from '@countersign/model-anthropic';
import { AnthropicWire, describeModelProvider } from '@countersign/testing';
import { modelHost } from './models.spec.support.js';

const KEY = 'sk-ant-test-0123456789';

describeModelProvider('model-anthropic', async () => {
  const wire = new AnthropicWire(KEY);
  const settings = { BaseUrl: await wire.listen(), ApiKey: KEY, MaxRetries: 0, Prices: { m: { Input: 1, Output: 4 } } };
  const { provider } = modelHost(modelAnthropicPlugin, { Anthropic: settings });
  return {
    provider: provider('anthropic'),
    says: async (script) => {
      wire.script = script;
    },
    dispose: () => wire.close(),
  };
});
