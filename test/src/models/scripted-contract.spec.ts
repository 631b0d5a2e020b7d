import { modelScriptedPlugin } from '@countersign/model-scripted';
import { describeModelProvider, type ScriptedResponse } from '@countersign/testing';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { modelHost } from './models.spec.support.js';

const CODES = {
  400: 'model_request_refused',
  401: 'model_unauthorized',
  429: 'model_rate_limited',
  503: 'model_unavailable',
} as const;

describeModelProvider('model-scripted', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'countersign-scripts-'));
  const file = join(directory, 'm.json');
  const { host, provider } = modelHost(modelScriptedPlugin, { Scripted: { Directory: directory } });
  const scripted = provider('scripted') as ReturnType<typeof provider> & { start(): Promise<void> };
  await host.start();
  return {
    provider: scripted,
    says: async (script) => {
      const rules = script.length === 0 ? [{ answer: {} }] : script.map(rule);
      await writeFile(file, JSON.stringify({ price: { input: 1, output: 4 }, rules }));
      await scripted.start();
    },
    dispose: async () => {
      await host.stop();
      await rm(directory, { recursive: true });
    },
  };
});

function rule({ turn, told, result, fails, hangs, calls = [], ...answer }: ScriptedResponse) {
  const when = { turn, contains: told, resultContains: result };
  if (fails === undefined)
    return {
      when,
      answer: {
        ...answer,
        calls: calls.map(({ name, arguments: given }) => ({ tool: name, arguments: given })),
        delayMs: hangs === true ? 60_000 : 0,
      },
    };
  const { status, retryAfterMs } = fails;
  return {
    when,
    fail: { code: CODES[status], message: 'It fails.', retryable: status === 429 || status === 503, retryAfterMs },
  };
}
