import type { AdvanceResult, AgentBudget, AgentUsage, DiscardedResponse } from '@countersign/model';
import { expect } from 'chai';
import { user } from '../interpreter.spec.support.js';
import { AgentRun, BUDGET, call } from './agents.spec.support.js';

const DIGEST = `sha256:${'a'.repeat(64)}`;

const discardedResponse = (usage: Partial<AgentUsage> = {}, budget: Partial<AgentBudget> = {}): DiscardedResponse => ({
  agent: 'triage',
  definitionDigest: DIGEST,
  provider: 'scripted',
  model: 'm',
  usage: { inputTokens: 10, outputTokens: 5, costMicros: 100, ...usage },
  budget: { ...BUDGET, ...budget },
});

/** Fails the job because the responses of the language model were unusable. */
function failJob(
  run: AgentRun,
  responses: readonly DiscardedResponse[] = [discardedResponse()],
  retryable = true,
  jobId = run.turnJob().jobId,
): AdvanceResult {
  return run.do({
    type: 'job.fail',
    actor: user('worker'),
    jobId,
    code: 'model_answer_malformed',
    message: 'The response ended before it was complete.',
    retryable,
    discarded: responses,
  });
}

describe('discarded responses of a language model', () => {
  it('should record the usage and the reason of a discarded response, and retry the turn', async () => {
    const run = await AgentRun.createWithTask();
    // when
    failJob(run, [discardedResponse({ cacheReadTokens: 4, estimated: true })]);
    // then
    const { budget: _budget, usage, ...source } = discardedResponse({ cacheReadTokens: 4, estimated: true });
    const [event] = run.of('agent.response_discarded');
    expect([event?.data, event?.private]).to.deep.equal([
      { ...source, code: 'model_answer_malformed', ...usage },
      { message: 'The response ended before it was complete.' },
    ]);
    expect(run.events.map(({ type }) => type).slice(-2)).to.deep.equal([
      'agent.response_discarded',
      'step.attempt_failed',
    ]);
    expect(run.at('a').attempt).to.equal(2);
  });

  it('should add discarded responses to the usage of the agent, including those before the first turn', async () => {
    const run = await AgentRun.createWithTask();
    // when
    failJob(run, [discardedResponse(), discardedResponse()]);
    run.turn([call('read.one')]);
    run.result('read.one');
    failJob(run, [discardedResponse({ cacheReadTokens: 4, estimated: true })]);
    run.turn([call('read.two')]);
    // then
    expect(run.agent()).to.deep.include({
      turns: 2,
      usage: { inputTokens: 50, outputTokens: 25, cacheReadTokens: 4, estimated: true, costMicros: 500 },
    });
    expect(run.at('a')).not.to.have.property('discardedUsage');
  });

  it('should make the total cost unknown if the cost of a discarded response is unknown', async () => {
    const run = await AgentRun.createWithTask();
    failJob(run, [discardedResponse({ costMicros: null })]);
    run.turn([call('read.one')]);
    expect(run.agent().usage.costMicros).to.equal(null);
  });

  it('should not bind the first turn to the agent definition of a discarded response', async () => {
    const run = await AgentRun.createWithTask();
    failJob(run);
    run.turn([call('read.one')], { definitionDigest: `sha256:${'b'.repeat(64)}` });
    expect(run.at('a').incident).to.equal(undefined);
    expect(run.agent().definitionDigest).to.equal(`sha256:${'b'.repeat(64)}`);
  });

  it('should discard and count a turn whose agent definition differs from that of the step', async () => {
    const run = await AgentRun.createWithTask();
    run.turn([call('read.one')]);
    run.result('read.one');
    // when
    run.turn([], { definitionDigest: 'sha256:other' });
    // then
    expect(run.at('a').incident?.code).to.equal('agent_definition_changed');
    expect(run.of('agent.response_discarded')[0]?.data).to.include({
      code: 'agent_definition_changed',
      inputTokens: 10,
    });
    expect(run.agent().usage.inputTokens).to.equal(20);
  });

  it('should count a discarded response once when its failure is reported twice', async () => {
    const run = await AgentRun.createWithTask();
    const { jobId } = run.turnJob();
    failJob(run, [discardedResponse()], false);
    expect(failJob(run, [discardedResponse()], false, jobId).refusal?.code).to.equal('job_not_active');
    expect(run.of('agent.response_discarded')).to.have.length(1);
    expect(run.at('a').discardedUsage?.inputTokens).to.equal(10);
  });

  it('should not count discarded responses reported with a tool call', async () => {
    const run = await AgentRun.createWithTask();
    run.turn([call('read.one')]);
    failJob(run, [discardedResponse()], true, run.callJob('read.one').jobId);
    expect(run.of('agent.response_discarded')).to.deep.equal([]);
    expect(run.agent().usage.inputTokens).to.equal(10);
  });

  for (const [limit, budgetOverrides] of [
    ['tokens', { tokens: 40 }],
    ['costMicros', { costMicros: 250 }],
  ] as const) {
    it(`should ask a question when discarded responses exhaust the ${limit} budget between two attempts`, async () => {
      // given
      const run = await AgentRun.createWithTask();
      run.turn([call('read.one')], { budget: { ...BUDGET, ...budgetOverrides } });
      run.result('read.one');
      // when
      failJob(run);
      expect(run.jobs()).to.have.length(1);
      failJob(run);
      // then
      expect(run.jobs()).to.deep.equal([]);
      expect(run.question()).to.deep.include({ purpose: 'budget' });
      expect(run.of('agent.budget_exhausted')[0]?.data['limit']).to.equal(limit);
      // when
      run.answer('continue');
      // then
      expect(run.turnJob().retries).to.be.above(1);
      run.turn({ label: 'bug' });
      expect(run.state?.outcome).to.equal('completed');
    });

    it(`should raise an incident when the ${limit} budget is exhausted before the first turn, and grant it again on recovery`, async () => {
      // given
      const run = await AgentRun.createWithTask();
      const response = discardedResponse({ inputTokens: 20, outputTokens: 5, costMicros: 150 }, budgetOverrides);
      // when
      failJob(run, [response]);
      expect(run.jobs()).to.have.length(1);
      failJob(run, [response]);
      // then
      expect(run.at('a').incident?.code).to.equal('agent_budget_exhausted');
      expect(run.of('agent.budget_exhausted')[0]?.data).to.deep.equal({ limit, questionId: null });
      expect(run.jobs()).to.deep.equal([]);
      // when
      run.recover();
      failJob(run, [response]);
      // then
      expect(run.jobs()).to.have.length(1);
    });
  }

  it('should raise an incident if the budget limits the cost and the price of a discarded response is unknown', async () => {
    // given
    const run = await AgentRun.createWithTask();
    // when
    failJob(run, [discardedResponse({ costMicros: null }, { costMicros: 1_000 })]);
    // then
    expect(run.at('a').incident?.code).to.equal('agent_price_unknown');
    // when
    run.recover();
    run.turn([call('read.one')], { budget: { ...BUDGET, costMicros: 1_000 } });
    // then
    expect(run.callJob('read.one').attempt).to.equal(1);
  });

  it('should keep the incident of a permanent failure even if the budget is exhausted', async () => {
    const run = await AgentRun.createWithTask();
    failJob(run, [discardedResponse({}, { tokens: 1 })], false);
    expect(run.at('a').incident?.code).to.equal('model_answer_malformed');
  });
});
