import { evidencePackJsonSchema } from '@countersign/contract';
import type { WireAnswer } from '@countersign/testing';
import { Validator, type Schema } from '@cfworker/json-schema';
import { expect } from 'chai';
import { impatientEngine } from '../recovery/impatient-engine.js';
import { faultsOfPack } from '../http/check-pack.spec.support.js';
import { pendingOf, settled, stepOf, workOf } from './agent-host.spec.support.js';
import { startOpenAiAgents, type OpenAiAgents } from './openai-agents.spec.support.js';

const PRICES = { m: { Input: 1, Output: 2 } };
const PAID = 12_000;

/** A response that reports its usage and then breaks off. */
const breaksOff: WireAnswer = (_, response) => {
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
      // Enough for one and a half responses.
      definitions: { free: { budget: {} }, short: { budget: { cost: 0.018 } } },
      prices: PRICES,
      engine: impatientEngine({ settings: { retryBackoffMs: 10 } }),
    });
  });

  after(() => test.close());

  const start = (agent: string) =>
    test.start({ workflowId: `wf-${agent}`, headers: { agent, prompt: 'Sort it.', resultVariable: 'said' } });

  it('should be recorded in the history and included in the usage totals', async () => {
    // given
    test.wire.script = [{ text: 'A bug.' }];
    test.wire.next.push(breaksOff, breaksOff);

    // when
    const { runId } = await start('free');
    const ended = await settled(test.operator, runId);

    // then
    const { usage, turns } = await workOf(test.operator, ended);
    expect(usage).to.include({ turns: 1, discardedResponses: 2 });
    expect(usage.inputTokens).to.equal(20_000 + turns[0]!.usage.inputTokens);
    expect(usage.costMicros).to.equal(2 * PAID + turns[0]!.usage.costMicros!);
    const { items } = await test.operator.listRunEvents({ runId });
    const discarded = items.filter(({ type }) => type === 'agent.response_discarded');
    expect(discarded.map(({ data }) => [data['code'], data['costMicros']])).to.deep.equal([
      ['model_answer_malformed', PAID],
      ['model_answer_malformed', PAID],
    ]);
  });

  it('should be included in the evidence pack even when the agent completed no turn', async () => {
    // given
    test.wire.script = [{ text: 'No.', stop: 'refusal' }];

    // when
    const { runId } = await start('free');
    const failed = await settled(test.operator, runId);

    // then
    expect(stepOf(failed)?.error).to.include({ code: 'model_declined' });
    const { turns, usage, agent } = await workOf(test.operator, failed);
    expect({ turns, agent }).to.deep.equal({ turns: [], agent: 'free' });
    expect(usage.discardedResponses).to.equal(1);
    expect(usage.costMicros).to.be.above(0);
    const pack = await test.operator.getEvidencePack({ runId });
    expect(new Validator(evidencePackJsonSchema() as Schema, '2020-12').validate(pack).errors).to.deep.equal([]);
    expect(faultsOfPack(pack)).to.deep.equal([]);
    expect(pack.agentWork.map(({ usage: told }) => told)).to.deep.equal([usage]);
  });

  it('should exhaust a cost budget before the first turn', async () => {
    // given
    test.wire.script = [{ text: 'A bug.' }];
    test.wire.next.push(breaksOff, breaksOff);

    // when
    const { runId } = await start('short');
    const stopped = await settled(test.operator, runId);

    // then
    expect(stepOf(stopped)?.error).to.include({ code: 'agent_budget_exhausted' });

    // when
    await test.operator.recoverRun({ runId, body: {} });
    const ended = await settled(test.operator, runId);

    // then
    expect(ended.status, JSON.stringify(stepOf(ended)?.error)).to.equal('completed');
    expect((await workOf(test.operator, ended)).usage).to.include({ turns: 1, discardedResponses: 2 });
  });

  it('should exhaust a cost budget between two turns and ask a person whether to continue', async () => {
    // given
    test.wire.script = [{ turn: 1, calls: [{ name: 'notes_read', arguments: { note: 'a' } }] }, { text: 'A bug.' }];
    test.notes.act = () => {
      test.wire.next.push(breaksOff, breaksOff);
      return Promise.resolve({ content: {} });
    };

    // when
    const { runId } = await start('short');
    const asks = await settled(test.operator, runId);

    // then
    const { usage, budget } = await workOf(test.operator, asks);
    expect(usage).to.include({ turns: 1, discardedResponses: 2 });
    expect(usage.costMicros).to.be.above(budget!.costMicros!);

    // when
    await test.operator.answerQuestion({
      runId,
      questionId: pendingOf(asks, 'question'),
      body: { answer: 'continue' },
    });

    // then
    expect((await settled(test.operator, runId)).status).to.equal('completed');
  });
});
