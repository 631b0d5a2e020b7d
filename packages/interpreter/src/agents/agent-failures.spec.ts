import { expect } from 'chai';
import { user } from '../interpreter.spec.support.js';
import { AgentRun, BUDGET, call, policyFor, write } from './agents.spec.support.js';

const needsApproval = (run: AgentRun): void =>
  void (run.policy = policyFor({ 'issue.comment': { decision: 'require_approval' } }));

describe('failures in the work of agents', () => {
  it('should try a call again, with attempts of its own, and leave those of the step', async () => {
    // given
    const run = await AgentRun.ofTask();
    run.turn([call('read.one'), call('read.two')]);
    const { jobId } = run.callJob('read.one');
    // when
    run.failCall('read.one', true);
    run.failCall('read.one', true);
    // then
    expect(run.callJob('read.one')).to.deep.include({ jobId, attempt: 3, retries: 1 });
    expect(run.callJob('read.two')).to.deep.include({ attempt: 1, retries: 3 });
    expect(run.at('a').attempt).to.equal(1);
    expect(
      run.requests
        .filter((request) => request.type === 'job.reschedule')
        .map((request) => request.type === 'job.reschedule' && [request.attempt, request.dueAt - run.now]),
    ).to.deep.equal([
      [2, 1000],
      [3, 2000],
    ]);
    expect(run.of('step.attempt_failed')[0]!.data).to.deep.include({
      callId: run.call('read.one').callId,
      attempt: 1,
      retriesLeft: 2,
    });
  });

  it('should refuse a call after its tool definition changed more than ten times', async () => {
    // given
    const run = await AgentRun.ofTask();
    run.turn([call('read.one'), call('read.two')]);
    // when
    for (let change = 1; change <= 11; change += 1) {
      const { jobId } = run.callJob('read.one');
      run.do({
        type: 'agent.repropose',
        actor: user('worker'),
        jobId,
        call: { ...call('read.one'), toolDigest: `sha256:${change}` },
      });
    }
    // then
    expect(run.of('agent.call.dispatched').filter(({ data }) => data['tool'] === 'read.one')).to.have.length(11);
    expect(run.of('agent.call.refused').map(({ data }) => data['code'])).to.deep.equal(['tool_unsteady']);
    expect(run.jobs().map(({ callId }) => callId)).to.deep.equal([run.call('read.two').callId]);
  });

  it('should be an incident when the attempts are used up, and make the same call when it is recovered', async () => {
    // given
    const run = await AgentRun.ofTask();
    run.turn([call('read.one'), call('read.two')]);
    const { callId } = run.call('read.one');
    for (let attempt = 0; attempt < 3; attempt += 1) run.failCall('read.one', true);
    // then
    expect(run.at('a').incident?.code).to.equal('broken');
    expect(run.project().status).to.equal('active');
    // when
    run.result('read.two');
    // then
    expect(run.project().status).to.equal('failed');
    // when
    run.recover();
    // then
    expect(run.callJob('read.one')).to.deep.include({ callId, attempt: 1, retries: 3 });
    run.result('read.one');
    expect(run.turnJob().jobType).to.equal('agent');
    expect(run.agent()).to.deep.include({ turns: 1, toolCalls: 2 });
  });

  it('should make an approved call again without asking as long as it is the same, and ask where it is not', async () => {
    for (const [digest, isAsked] of [
      ['sha256:0', false],
      ['sha256:new', true],
    ] as const) {
      // given
      const run = await AgentRun.ofTask(undefined, {}, needsApproval);
      run.turn([write('issue.comment')]);
      run.decide('issue.comment', 'approve');
      run.failCall('issue.comment', false);
      run.policy = policyFor({ 'issue.comment': { decision: 'require_approval', policyDigest: digest } });
      // when
      run.recover();
      // then
      expect(run.jobs().length).to.equal(isAsked ? 0 : 1);
      expect(run.project().pendingApprovals).to.equal(isAsked ? 1 : 0);
    }
  });

  it('should not make an approved call again that the same policy denies by now', async () => {
    const run = await AgentRun.ofTask(undefined, {}, needsApproval);
    run.turn([write('issue.comment')]);
    run.decide('issue.comment', 'approve');
    run.failCall('issue.comment', false);
    run.policy = policyFor({ 'issue.comment': { decision: 'deny' } });
    // when
    run.recover();
    // then
    expect(run.of('agent.call.dispatched')).to.have.length(1);
    expect(run.of('agent.call.refused')[0]!.data['code']).to.equal('policy_denied');
  });

  it('should keep the risk of the calls of a step that goes on', async () => {
    const run = await AgentRun.ofTask(
      undefined,
      {},
      (each) => (each.policy = policyFor({ 'read.one': { riskLevel: 'critical' } })),
    );
    run.turn([call('read.one')]);
    run.failCall('read.one', false);
    run.policy = policyFor({});
    // when
    run.recover();
    // then
    expect(run.project().riskLevel).to.equal('critical');
  });

  it('should be an incident where the policy gives no answer, and ask it again when it is recovered', async () => {
    // given
    const run = await AgentRun.ofTask();
    const before = run.policy;
    run.policy = (request) => {
      if (request.call?.tool === 'read.two') throw new Error('gone');
      return before(request);
    };
    // when
    run.turn([call('read.one'), call('read.two'), call('read.three')]);
    // then
    expect(run.at('a').incident?.code).to.equal('policy_unavailable');
    expect(run.jobs().map(({ callId }) => callId)).to.deep.equal([run.call('read.one').callId]);
    // when
    run.policy = before;
    run.recover();
    // then
    expect(run.jobs()).to.have.length(3);
    expect(run.agent().toolCalls).to.equal(3);
  });

  it('should not go on with a step that the policy denies by now', async () => {
    const run = await AgentRun.ofTask();
    run.turn([call('read.one')]);
    run.failCall('read.one', false);
    run.policy = (request) => ({ ...policyFor({})(request), decision: 'deny' });
    // when
    run.recover();
    // then
    expect(run.at('a').incident?.code).to.equal('policy_denied');
    expect(run.jobs()).to.deep.equal([]);
  });

  it('should go on with the turns that are recorded where a turn failed', async () => {
    // given
    const run = await AgentRun.ofTask();
    run.turn([]);
    run.fail('a', false);
    expect(run.at('a').incident?.code).to.equal('broken');
    // when
    run.recover();
    run.turn([]);
    // then
    expect(run.agent().turns).to.equal(2);
    expect(run.at('a').attempt).to.equal(2);
  });

  describe('a call that was lost', () => {
    async function lost(): Promise<AgentRun> {
      const run = await AgentRun.ofTask(undefined, {}, needsApproval);
      run.turn([write('issue.comment', { text: 'Hi' })]);
      run.decide('issue.comment', 'approve');
      run.lose('issue.comment');
      return run;
    }

    it('should be a question to people, and no worker makes it meanwhile', async () => {
      const run = await lost();
      expect(run.jobs()).to.deep.equal([]);
      expect(run.question()).to.deep.include({
        purpose: 'outcome',
        callId: run.call('issue.comment').callId,
        options: ['done', 'not_done', 'skip'],
      });
      expect(run.of('agent.call.lost')[0]!.data['questionId']).to.equal(run.question().questionId);
      expect(run.project()).to.deep.include({ status: 'blocked', pendingQuestions: 1 });
    });

    it('should count as made where they say so', async () => {
      const run = await lost();
      // when
      run.answer('done');
      // then
      expect(run.of('agent.call.completed')[0]!.private?.['content']).to.deep.include({ outcome: 'done' });
      expect(run.turnJob().jobType).to.equal('agent');
    });

    it('should be made, with the same id and approval, where they say that it was not', async () => {
      const run = await lost();
      const { callId } = run.call('issue.comment');
      // when
      run.answer('not_done');
      // then
      expect(run.callJob('issue.comment')).to.deep.include({ callId, attempt: 1 });
      expect(run.of('agent.call.dispatched').map(({ data }) => data['approvedDigest'])).to.deep.equal([
        run.call('issue.comment').approvedDigest,
        run.call('issue.comment').approvedDigest,
      ]);
    });

    it('should be left where they say so', async () => {
      const run = await lost();
      // when
      run.answer('skip');
      // then
      expect(run.of('agent.call.refused')[0]!.data).to.deep.include({ code: 'call_skipped', approvalId: null });
      expect(run.turnJob().jobType).to.equal('agent');
    });
  });

  describe('a budget', () => {
    it('should stop in front of a turn and ask, and grant the whole of it once more', async () => {
      // given
      const run = await AgentRun.ofTask();
      // when
      run.turn([], { budget: { ...BUDGET, turns: 2 } });
      run.turn([]);
      // then
      expect(run.jobs()).to.deep.equal([]);
      expect(run.question()).to.deep.include({ purpose: 'budget', options: ['continue', 'stop'], callId: null });
      expect(run.of('agent.budget_exhausted')[0]!.data).to.deep.equal({
        limit: 'turns',
        questionId: run.question().questionId,
      });
      // when
      run.answer('continue');
      run.turn([]);
      run.turn([]);
      // then
      expect(run.of('agent.budget_extended').map(({ data }) => data['extensions'])).to.deep.equal([1]);
      expect(run.question().purpose).to.equal('budget');
    });

    it('should end in an incident where people say stop, and a recovery grants it once more', async () => {
      // given
      const run = await AgentRun.ofTask();
      run.turn([], { budget: { ...BUDGET, turns: 1 } });
      // when
      run.answer('stop');
      // then
      expect(run.at('a').incident?.code).to.equal('agent_budget_exhausted');
      // when
      run.recover();
      // then
      expect(run.agent().extensions).to.equal(1);
      expect(run.turnJob().jobType).to.equal('agent');
    });

    it('should be an incident at once where that is configured', async () => {
      const run = await AgentRun.ofTask();
      run.turn([], { budget: { ...BUDGET, turns: 1, onExhausted: 'incident' } });
      expect(run.at('a').incident?.code).to.equal('agent_budget_exhausted');
      expect(run.of('agent.budget_exhausted')[0]!.data).to.deep.equal({ limit: 'turns', questionId: null });
    });

    it('should stop in front of a call, while those before it go on', async () => {
      // given
      const run = await AgentRun.ofTask();
      run.turn([call('read.one'), call('read.two')], { budget: { ...BUDGET, toolCalls: 1 } });
      // then
      expect(run.project()).to.deep.include({ status: 'active', pendingQuestions: 1 });
      expect(run.jobs()).to.have.length(1);
      // when
      run.result('read.one');
      // then
      expect(run.project()).to.deep.include({ status: 'blocked', pendingQuestions: 1 });
      // when
      run.answer('continue');
      // then
      expect(run.callJob('read.two').attempt).to.equal(1);
      expect(run.agent().toolCalls).to.equal(2);
    });

    for (const [limit, more] of [
      ['tokens', { tokens: 15 }],
      ['costMicros', { costMicros: 100 }],
    ] as const) {
      it(`should count ${limit}, in front of turns and of calls`, async () => {
        const run = await AgentRun.ofTask();
        run.turn([call('read.one')], { budget: { ...BUDGET, ...more } });
        expect(run.of('agent.budget_exhausted')[0]!.data['limit']).to.equal(limit);
        expect(run.jobs()).to.deep.equal([]);
      });
    }

    it('should not hold back an answer that is there', async () => {
      const run = await AgentRun.ofTask();
      run.turn({ label: 'bug' }, { budget: { ...BUDGET, turns: 1, tokens: 1 } });
      expect(run.state?.outcome).to.equal('completed');
    });

    it('should go on without a known price where it is not one of money', async () => {
      const run = await AgentRun.ofTask();
      run.turn([call('read.one')], { usage: { inputTokens: 1, outputTokens: 1, costMicros: null } });
      expect(run.callJob('read.one').attempt).to.equal(1);
    });

    it('should go no further where it is one of money and the price is not known', async () => {
      // given
      const run = await AgentRun.ofTask();
      const usage = { inputTokens: 1, outputTokens: 1, costMicros: null };
      // when
      run.turn([call('read.one')], { budget: { ...BUDGET, costMicros: 100 }, usage });
      // then
      expect(run.at('a').incident?.code).to.equal('agent_price_unknown');
      expect(run.jobs()).to.deep.equal([]);
      // when
      run.recover();
      // then
      expect(run.callJob('read.one').attempt).to.equal(1);
      // and
      run.result('read.one');
      run.turn([], { usage });
      expect(run.at('a').incident?.code).to.equal('agent_price_unknown');
    });
  });
});
