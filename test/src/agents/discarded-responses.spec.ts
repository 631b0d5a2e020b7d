import { buildEvidencePackJsonSchema } from '@countersign/contract';
import type { FakeServerHandler } from '@countersign/testing';
import { Validator, type Schema } from '@cfworker/json-schema';
import { expect } from 'chai';
import { createImpatientEngine } from '../recovery/impatient-engine.js';
import { findPackErrors } from '../http/check-pack.spec.support.js';
import { requirePendingId, waitUntilSettled, findAgentStep, getAgentWork } from './agent-host.spec.support.js';
import { startOpenAiAgents, type OpenAiAgents } from './openai-agents.spec.support.js';

const PRICES = { m: { Input: 1, Output: 2 } };
const RESPONSE_COST_MICROS = 12_000;

/** A response that reports its usage and then breaks off. */
const interruptedStream: FakeServerHandler = (_, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const parts = [
    { model: 'm', choices: [{ index: 0, delta: { content: 'It is' }, finish_reason: null }] },
    { choices: [], usage: { prompt_tokens: 10_000, completion_tokens: 1_000 } },
  ];
  for (const part of parts) response.write(`data: ${JSON.stringify(part)}\n\n`);
  response.end();
};

describe('discarded responses of a language model', () => {
  let test: OpenAiAgents;

  before(async () => {
    test = await startOpenAiAgents({
      // The budget of `short` pays for one and a half responses.
      definitions: { free: { budget: {} }, short: { budget: { cost: 0.018 } } },
      prices: PRICES,
      engine: { plugin: createImpatientEngine({ settings: { retryBackoffMs: 10 } }) },
    });
  });

  after(() => test.close());

  const start = (agent: string) =>
    test.start({ workflowId: `wf-${agent}`, headers: { agent, prompt: 'Sort it.', resultVariable: 'said' } });

  it('should be recorded in the history and included in the usage totals', async () => {
    // given
    test.wire.script = [{ text: 'A bug.' }];
    test.wire.nextHandlers.push(interruptedStream, interruptedStream);

    // when
    const { runId } = await start('free');
    const endedRun = await waitUntilSettled(test.operator, runId);

    // then
    const { usage, turns } = await getAgentWork(test.operator, endedRun);
    expect(usage).to.include({ turns: 1, discardedResponses: 2 });
    expect(usage.inputTokens).to.equal(20_000 + turns[0]!.usage.inputTokens);
    expect(usage.costMicros).to.equal(2 * RESPONSE_COST_MICROS + turns[0]!.usage.costMicros!);
    const { items } = await test.operator.listRunEvents({ runId });
    const discarded = items.filter(({ type }) => type === 'agent.response_discarded');
    expect(discarded.map(({ data }) => [data['code'], data['costMicros']])).to.deep.equal([
      ['model_answer_malformed', RESPONSE_COST_MICROS],
      ['model_answer_malformed', RESPONSE_COST_MICROS],
    ]);
  });

  it('should be included in the evidence pack even when the agent completed no turn', async () => {
    // given
    test.wire.script = [{ text: 'I cannot help with that.', stop: 'refusal' }];

    // when
    const { runId } = await start('free');
    const failedRun = await waitUntilSettled(test.operator, runId);

    // then
    expect(findAgentStep(failedRun)?.error).to.include({ code: 'model_declined' });
    const { turns, usage, agent } = await getAgentWork(test.operator, failedRun);
    expect({ turns, agent }).to.deep.equal({ turns: [], agent: 'free' });
    expect(usage.discardedResponses).to.equal(1);
    expect(usage.costMicros).to.be.above(0);
    const pack = await test.operator.getEvidencePack({ runId });
    expect(new Validator(buildEvidencePackJsonSchema() as Schema, '2020-12').validate(pack).errors).to.deep.equal([]);
    expect(findPackErrors(pack)).to.deep.equal([]);
    expect(pack.agentWork.map(({ usage: packUsage }) => packUsage)).to.deep.equal([usage]);
  });

  it('should exhaust a cost budget before the first turn', async () => {
    // given
    test.wire.script = [{ text: 'A bug.' }];
    test.wire.nextHandlers.push(interruptedStream, interruptedStream);

    // when
    const { runId } = await start('short');
    const stoppedRun = await waitUntilSettled(test.operator, runId);

    // then
    expect(findAgentStep(stoppedRun)?.error).to.include({ code: 'agent_budget_exhausted' });

    // when
    await test.operator.recoverRun({ runId, body: {} });
    const endedRun = await waitUntilSettled(test.operator, runId);

    // then
    expect(endedRun.status, JSON.stringify(findAgentStep(endedRun)?.error)).to.equal('completed');
    expect((await getAgentWork(test.operator, endedRun)).usage).to.include({ turns: 1, discardedResponses: 2 });
  });

  it('should exhaust a cost budget between two turns and ask a person whether to continue', async () => {
    // given
    test.wire.script = [{ turn: 1, calls: [{ name: 'notes_read', arguments: { note: 'a' } }] }, { text: 'A bug.' }];
    test.notes.onCall = () => {
      test.wire.nextHandlers.push(interruptedStream, interruptedStream);
      return Promise.resolve({ content: {} });
    };

    // when
    const { runId } = await start('short');
    const blockedRun = await waitUntilSettled(test.operator, runId);

    // then
    const { usage, budget } = await getAgentWork(test.operator, blockedRun);
    expect(usage).to.include({ turns: 1, discardedResponses: 2 });
    expect(usage.costMicros).to.be.above(budget!.costMicros!);

    // when
    await test.operator.answerQuestion({
      runId,
      questionId: requirePendingId(blockedRun, 'question'),
      body: { answer: 'continue' },
    });

    // then
    expect((await waitUntilSettled(test.operator, runId)).status).to.equal('completed');
  });
});
