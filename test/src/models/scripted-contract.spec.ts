import { modelScriptedPlugin } from '@countersign/model-scripted';
import { describeModelProvider, type ScriptedResponse } from '@countersign/testing';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createModelHost } from './models.spec.support.js';

const CODES_BY_STATUS = {
  400: 'model_request_refused',
  401: 'model_unauthorized',
  429: 'model_rate_limited',
  503: 'model_unavailable',
} as const;

describeModelProvider('model-scripted', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'countersign-scripts-'));
  const file = join(directory, 'm.json');
  const { host, provider } = createModelHost(modelScriptedPlugin, { Scripted: { Directory: directory } });
  const scriptedProvider = provider('scripted') as ReturnType<typeof provider> & { start(): Promise<void> };
  await host.start();
  return {
    provider: scriptedProvider,
    setScript: async (script) => {
      const rules = script.length === 0 ? [{ answer: {} }] : script.map(toScriptRule);
      await writeFile(file, JSON.stringify({ price: { input: 1, output: 4 }, rules }));
      await scriptedProvider.start();
    },
    dispose: async () => {
      await host.stop();
      await rm(directory, { recursive: true });
    },
  };
});

function toScriptRule({
  turn,
  userText: contains,
  result,
  failure: fails,
  hangs,
  calls = [],
  ...answer
}: ScriptedResponse) {
  const when = { turn, contains, resultContains: result };
  if (fails === undefined)
    return {
      when,
      answer: {
        ...answer,
        calls: calls.map(({ name, arguments: toolArguments }) => ({ tool: name, arguments: toolArguments })),
        delayMs: hangs === true ? 60_000 : 0,
      },
    };
  const { status, retryAfterMs } = fails;
  return {
    when,
    fail: {
      code: CODES_BY_STATUS[status],
      message: 'Scripted failure.',
      retryable: status === 429 || status === 503,
      retryAfterMs,
    },
  };
}
