import type { FakeServerHandler } from '@countersign/testing';
import { expect } from 'chai';
import { createChunk, streamChunks } from '../models/chat-stream.spec.support.js';
import { waitUntilSettled, findAgentStep, getAgentWork } from './agent-host.spec.support.js';
import { startOpenAiAgents, type OpenAiAgents } from './openai-agents.spec.support.js';

/** Prices per million tokens. */
const PRICES = { m: { Input: 1, CacheRead: 0.1, CacheWrite: 1.25, Output: 2 } };

/** Usage that the API reports for one turn, with the expected tokens and cost (in millionths), by case. */
const USAGE_SHAPES: Readonly<Record<string, readonly [usage: object, tokens: number, costMicros: number]>> = {
  'only the total includes reasoning tokens (Gemini)': [
    { prompt_tokens: 100, completion_tokens: 10, total_tokens: 1_000 },
    1_000,
    100 + 2 * 900,
  ],
  'the completion excludes reasoning tokens (xAI)': [
    {
      prompt_tokens: 100,
      completion_tokens: 10,
      total_tokens: 1_000,
      completion_tokens_details: { reasoning_tokens: 890 },
    },
    1_000,
    100 + 2 * 900,
  ],
  'tokens are read from a cache': [
    { prompt_tokens: 900, completion_tokens: 100, total_tokens: 1_000, prompt_tokens_details: { cached_tokens: 800 } },
    1_000,
    100 + 80 + 2 * 100,
  ],
  'tokens are written to a cache and not counted in the prompt (Anthropic)': [
    { input_tokens: 100, output_tokens: 100, cache_creation_input_tokens: 800 },
    1_000,
    100 + 1_000 + 2 * 100,
  ],
};

describe('agent budgets', () => {
  let test: OpenAiAgents;

  before(async () => {
    const agentWithBudget = (budget: object) => ({
      tools: ['notes.read'],
      budget: { ...budget, onExhausted: 'incident' },
    });
    test = await startOpenAiAgents({
      definitions: Object.fromEntries(
        Object.values(USAGE_SHAPES).flatMap(([, tokens, costMicros], index) => [
          [`tokens-${index}-met`, agentWithBudget({ tokens })],
          [`tokens-${index}-left`, agentWithBudget({ tokens: tokens + 1 })],
          [`cost-${index}-met`, agentWithBudget({ cost: costMicros / 1_000_000 })],
          [`cost-${index}-left`, agentWithBudget({ cost: (costMicros + 1) / 1_000_000 })],
        ]),
      ),
      prices: PRICES,
    });
  });

  after(() => test.close());

  const readCallResponse = (usage: object): FakeServerHandler =>
    streamChunks(
      createChunk({
        tool_calls: [{ index: 0, id: 'c1', function: { name: 'notes_read', arguments: '{"note":"a"}' } }],
      }),
      createChunk({}, 'tool_calls'),
      { object: 'chat.completion.chunk', choices: [], usage },
    );

  for (const [index, [caseName, [usage, tokens, costMicros]]] of Object.entries(USAGE_SHAPES).entries())
    for (const kind of ['tokens', 'cost'])
      it(`should exhaust the ${kind} budget exactly at its limit when ${caseName}`, async () => {
        const run = async (agent: string) => {
          test.wire.script = [{ text: 'Done.' }];
          test.wire.nextHandlers.splice(0);
          test.wire.nextHandlers.push(readCallResponse(usage));
          const { runId } = await test.start({ workflowId: `wf-${agent}`, headers: { agent, prompt: 'Read it.' } });
          return waitUntilSettled(test.operator, runId);
        };

        // when
        const exhaustedRun = await run(`${kind}-${index}-met`);
        const completedRun = await run(`${kind}-${index}-left`);

        // then
        expect(findAgentStep(exhaustedRun)?.error).to.include({ code: 'agent_budget_exhausted' });
        expect(findAgentStep(completedRun)).to.include({ status: 'completed' });
        const [firstTurn] = (await getAgentWork(test.operator, exhaustedRun)).turns;
        expect(firstTurn?.usage.costMicros).to.equal(costMicros);
        expect((firstTurn?.usage.inputTokens ?? 0) + (firstTurn?.usage.outputTokens ?? 0)).to.equal(tokens);
      });
});
