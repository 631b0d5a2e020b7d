import { modelAnthropicPlugin } from '@countersign/model-anthropic';
import { FakeAnthropicServer, describeModelProvider } from '@countersign/testing';
import { createModelHost } from './models.spec.support.js';

const KEY = 'sk-ant-test-0123456789';

describeModelProvider('model-anthropic', async () => {
  const wire = new FakeAnthropicServer(KEY);
  const settings = { BaseUrl: await wire.listen(), ApiKey: KEY, MaxRetries: 0, Prices: { m: { Input: 1, Output: 4 } } };
  const { provider } = createModelHost(modelAnthropicPlugin, { Anthropic: settings });
  return {
    provider: provider('anthropic'),
    setScript: async (script) => {
      wire.script = script;
    },
    dispose: () => wire.close(),
  };
});
