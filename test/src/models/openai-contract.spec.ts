import { modelOpenaiPlugin } from '@countersign/model-openai';
import { describeModelProvider, FakeOpenAiServer } from '@countersign/testing';
import { createModelHost } from './models.spec.support.js';

const KEY = 'sk-test-0123456789';

for (const name of ['openai', 'local']) {
  describeModelProvider(`model-openai (${name})`, async () => {
    const wire = new FakeOpenAiServer(KEY);
    const settings = {
      BaseUrl: `${await wire.listen()}/v1`,
      ApiKey: KEY,
      MaxRetries: 0,
      Prices: { m: { Input: 1, Output: 4 } },
    };
    const { provider } = createModelHost(
      modelOpenaiPlugin,
      name === 'openai' ? { OpenAI: settings } : { OpenAICompatible: [{ Id: name, ...settings }] },
    );
    return {
      provider: provider(name),
      setScript: async (script) => {
        wire.script = script;
      },
      dispose: () => wire.close(),
    };
  });
}
