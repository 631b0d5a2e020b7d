import type { RunDetail } from '@countersign/contract';
import type { JsonObject } from '@countersign/core';
import { ModelProviderContribution } from '@countersign/core/plugin';
import { modelAnthropicPlugin } from '@countersign/model-anthropic';
import { modelOpenaiPlugin } from '@countersign/model-openai';
import { expect } from 'chai';
import {
  waitUntilSettled,
  startAgentHost,
  findAgentStep,
  getAgentWork,
  type AgentHost,
} from '../../agents/agent-host.spec.support.js';
import { createImpatientEngine } from '../../recovery/impatient-engine.js';
import { call, captureModelError, request } from '../models.spec.support.js';
import type { Api } from './api.js';
import { OUTPUT } from './api.js';
import { ApiServer } from './api-server.js';
import { APIS } from './apis/index.js';
import { shelfPlugin } from './shelf-plugin.js';

const MAX_RETRIES = 3;
const COMPLETING_MODEL = 'completes';
const listModels = ({ failures }: Api) => [COMPLETING_MODEL, ...failures.map(({ name }) => name)];
const agentName = ({ id }: Api, model: string) => `${id}-${model}`;

/** An agent for each language model of each API. */
const AGENTS = Object.fromEntries(
  APIS.flatMap((api) =>
    listModels(api).map((model) => {
      const definition = {
        model: { provider: api.id, name: model, timeout: 'PT20S' },
        tools: ['shelf.read', 'shelf.list'],
        outputSchema: {
          type: 'object',
          properties: { title: { type: 'string' }, count: { type: 'integer' } },
          required: ['title', 'count'],
          additionalProperties: false,
        },
      };
      return [
        agentName(api, model),
        { definition, script: { rules: [{ answer: { text: 'This script is never used.' } }] } },
      ];
    }),
  ),
);

/**
 * Returns a typical configuration of these APIs. The providers do not retry, because retries would only slow the tests
 * down.
 */
function buildSettings(origin: string): JsonObject {
  const apiSettings = ({ id, root, settings = {} }: Api): JsonObject => ({
    BaseUrl: `${origin}/${id}${root}`,
    ApiKey: `key-of-${id}`,
    MaxRetries: 0,
    ...settings,
  });
  const apisWithOwnSettings = {
    OpenAI: APIS.find(({ id }) => id === 'openai'),
    Anthropic: APIS.find(({ id }) => id === 'anthropic'),
  };
  const otherApis = APIS.filter((api) => !Object.values(apisWithOwnSettings).includes(api));
  return {
    ...Object.fromEntries(
      Object.entries(apisWithOwnSettings).flatMap(([name, api]) =>
        api === undefined ? [] : [[name, apiSettings(api)]],
      ),
    ),
    OpenAICompatible: otherApis.map((api) => ({ Id: api.id, ...apiSettings(api) })),
  };
}

describe('compatibility with language model APIs', function () {
  this.timeout(60_000);

  let server: ApiServer;
  let agentHost: AgentHost;

  before(async () => {
    server = new ApiServer(APIS);
    agentHost = await startAgentHost({
      agents: AGENTS,
      plugins: [modelOpenaiPlugin, modelAnthropicPlugin, shelfPlugin()],
      configuration: { Models: buildSettings(await server.listen()) },
      engine: { plugin: createImpatientEngine({ settings: { retryBackoffMs: 10 } }) },
    });
  });

  after(async () => {
    await agentHost.close();
    await server.close();
  });

  const run = async (api: Api, model: string): Promise<RunDetail> => {
    const agent = agentName(api, model);
    const headers = { agent, prompt: 'How many notes are there?', resultVariable: 'found' };
    const { runId } = await agentHost.start({ workflowId: `wf-${agent}`, headers });
    return waitUntilSettled(agentHost.operator, runId);
  };

  const expectCompleteRun = async (api: Api, endedRun: RunDetail) => {
    expect(server.refusedRequests, JSON.stringify(findAgentStep(endedRun)?.error)).to.deep.equal([]);
    expect(endedRun, JSON.stringify(findAgentStep(endedRun)?.error)).to.include({
      status: 'completed',
      outcome: 'completed',
    });
    expect(endedRun.variables['found']).to.deep.equal(OUTPUT);
    const { turns, usage } = await getAgentWork(agentHost.operator, endedRun);
    expect(
      turns.map(({ calls }) =>
        calls.map(({ tool, arguments: toolArguments, status }) => [tool, toolArguments, status]),
      ),
    ).to.deep.equal([
      [['shelf.read', { note: 'alpha' }, 'completed']],
      [
        ['shelf.read', { note: 'beta' }, 'completed'],
        ['shelf.read', { note: 'gamma' }, 'completed'],
      ],
      [['shelf.list', {}, 'completed']],
      [],
    ]);
    expect(usage).to.include({ turns: 4, toolCalls: 4 });
    // Excludes the usage of responses that were discarded after a failure.
    const { estimated, ...counts } = api.usage;
    for (const [name, used] of Object.entries(counts) as [keyof typeof counts, number][])
      expect(
        turns.reduce((sum, turn) => sum + turn.usage[name], 0),
        name,
      ).to.equal(used);
    expect(turns.some((turn) => turn.usage.estimated)).to.equal(estimated);
  };

  for (const api of APIS) {
    describe(api.name, () => {
      afterEach(() => void server.refusedRequests.splice(0));

      it('should complete an agent step in four turns', async () => {
        // when
        const endedRun = await run(api, COMPLETING_MODEL);

        // then
        await expectCompleteRun(api, endedRun);
        expect(server.requestCounts.get(`${api.id} ${COMPLETING_MODEL}`)).to.equal(4);
      });

      for (const failure of api.failures) {
        const { name, code, retryable, expectedMessage, retryAfterMs, isOnce } = failure;
        const key = `${api.id} ${name}`;

        if (isOnce === true)
          it(`should retry the request after ${name}`, async () => {
            await expectCompleteRun(api, await run(api, name));
            expect(server.requestCounts.get(key)).to.equal(5);
          });
        else if (retryAfterMs !== undefined)
          it(`should report the delay before the next attempt after ${name}`, async () => {
            // given
            const provider = agentHost.host.getAll(ModelProviderContribution).find(({ id }) => id === api.id);

            // when
            const error = await captureModelError(
              Promise.resolve(provider?.complete(request({ model: name }), call())),
            );

            // then
            expect(error).to.include({ code, retryable, retryAfterMs });
            expect(error.message).to.contain(expectedMessage);
          });
        else
          it(`should fail${retryable ? ' after three attempts' : ' immediately'} with the reason of ${name}, and complete after recovery`, async () => {
            // when
            const failedRun = await run(api, name);

            // then
            expect(server.refusedRequests).to.deep.equal([]);
            expect(findAgentStep(failedRun)).to.include({ status: 'failed' });
            expect(findAgentStep(failedRun)?.error).to.include({ code });
            expect(findAgentStep(failedRun)?.error?.message).to.contain(expectedMessage);
            expect(server.requestCounts.get(key)).to.equal(1 + (retryable ? MAX_RETRIES : 1));

            // when
            server.repairedModels.add(key);
            await agentHost.operator.recoverRun({ runId: failedRun.runId });

            // then
            await expectCompleteRun(api, await waitUntilSettled(agentHost.operator, failedRun.runId));
          });
      }
    });
  }
});
