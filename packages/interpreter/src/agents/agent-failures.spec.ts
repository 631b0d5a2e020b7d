import { expect } from 'chai';
import { user } from '../interpreter.spec.support.js';
import { AgentRun, BUDGET, call, policyFor, write } from './agents.spec.support.js';

const requireApprovalForComments = (run: AgentRun): void =>
  void (run.policy = policyFor({ 'issue.comment': { decision: 'require_approval' } }));

describe('failures of agent steps', () => {
  it('should count the attempts of a failed tool call separately from other calls and from the step', async () => {
    // given
    const run = await AgentRun.createWithTask();
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
    const run = await AgentRun.createWithTask();
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

  it('should raise an incident when a tool call has no attempts left, and dispatch the same call on recovery', async () => {
    // given
    const run = await AgentRun.createWithTask();
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

  it('should ask for approval of a recovered call again only if the policy digest has changed', async () => {
    for (const [digest, requestsApproval] of [
      ['sha256:0', false],
      ['sha256:new', true],
    ] as const) {
      // given
      const run = await AgentRun.createWithTask(undefined, {}, requireApprovalForComments);
      run.turn([write('issue.comment')]);
      run.decide('issue.comment', 'approve');
      run.failCall('issue.comment', false);
      run.policy = policyFor({ 'issue.comment': { decision: 'require_approval', policyDigest: digest } });
      // when
      run.recover();
      // then
      expect(run.jobs().length).to.equal(requestsApproval ? 0 : 1);
      expect(run.project().pendingApprovals).to.equal(requestsApproval ? 1 : 0);
    }
  });

  it('should refuse an approved call on recovery if the same policy now denies the call', async () => {
    const run = await AgentRun.createWithTask(undefined, {}, requireApprovalForComments);
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

  it('should keep the risk level of earlier tool calls when a failed step is recovered', async () => {
    const run = await AgentRun.createWithTask(
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

  it('should raise an incident if the policy is unavailable for a call, and evaluate the policy again on recovery', async () => {
    // given
    const run = await AgentRun.createWithTask();
    const before = run.policy;
    run.policy = (request) => {
      if (request.call?.tool === 'read.two') throw new Error('The policy is unavailable.');
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

  it('should not resume a recovered step that the policy now denies', async () => {
    const run = await AgentRun.createWithTask();
    run.turn([call('read.one')]);
    run.failCall('read.one', false);
    run.policy = (request) => ({ ...policyFor({})(request), decision: 'deny' });
    // when
    run.recover();
    // then
    expect(run.at('a').incident?.code).to.equal('policy_denied');
    expect(run.jobs()).to.deep.equal([]);
  });

  it('should keep the recorded turns when a failed turn is recovered', async () => {
    // given
    const run = await AgentRun.createWithTask();
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

  describe('a tool call with unknown outcome', () => {
    async function startRunWithLostCall(): Promise<AgentRun> {
      const run = await AgentRun.createWithTask(undefined, {}, requireApprovalForComments);
      run.turn([write('issue.comment', { text: 'Hi' })]);
      run.decide('issue.comment', 'approve');
      run.loseCall('issue.comment');
      return run;
    }

    it('should ask a question about the outcome and offer no job in the meantime', async () => {
      const run = await startRunWithLostCall();
      expect(run.jobs()).to.deep.equal([]);
      expect(run.question()).to.deep.include({
        purpose: 'outcome',
        callId: run.call('issue.comment').callId,
        options: ['done', 'not_done', 'skip'],
      });
      expect(run.of('agent.call.lost')[0]!.data['questionId']).to.equal(run.question().questionId);
      expect(run.project()).to.deep.include({ status: 'blocked', pendingQuestions: 1 });
    });

    it('should complete the call when the answer is "done"', async () => {
      const run = await startRunWithLostCall();
      // when
      run.answer('done');
      // then
      expect(run.of('agent.call.completed')[0]!.private?.['content']).to.deep.include({ outcome: 'done' });
      // Recorded by earlier versions, and compared by a replay.
      expect(run.of('agent.call.completed')[0]!.data['contentDigest']).to.equal(
        'sha256:5726ee11a6c09fb1dff46a42686fa05a5789c955ebf2ec13e733c3db09efa0ec',
      );
      expect(run.turnJob().jobType).to.equal('agent');
    });

    it('should dispatch the call again with the same id and approval when the answer is "not_done"', async () => {
      const run = await startRunWithLostCall();
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

    it('should refuse the call with call_skipped when the answer is "skip"', async () => {
      const run = await startRunWithLostCall();
      // when
      run.answer('skip');
      // then
      expect(run.of('agent.call.refused')[0]!.data).to.deep.include({ code: 'call_skipped', approvalId: null });
      expect(run.turnJob().jobType).to.equal('agent');
    });
  });

  describe('the budget of an agent', () => {
    it('should ask a question before a turn that exceeds the budget, and grant the full budget again on "continue"', async () => {
      // given
      const run = await AgentRun.createWithTask();
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

    it('should raise an incident when the answer is "stop", and grant the full budget again on recovery', async () => {
      // given
      const run = await AgentRun.createWithTask();
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

    it('should raise an incident without asking if onExhausted is "incident"', async () => {
      const run = await AgentRun.createWithTask();
      run.turn([], { budget: { ...BUDGET, turns: 1, onExhausted: 'incident' } });
      expect(run.at('a').incident?.code).to.equal('agent_budget_exhausted');
      expect(run.of('agent.budget_exhausted')[0]!.data).to.deep.equal({ limit: 'turns', questionId: null });
    });

    it('should hold back only the call that exceeds the budget, while earlier calls of the turn continue', async () => {
      // given
      const run = await AgentRun.createWithTask();
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

    for (const [limit, limits] of [
      ['tokens', { tokens: 15 }],
      ['costMicros', { costMicros: 100 }],
    ] as const) {
      it(`should count ${limit} towards the budget before dispatching the calls of a turn`, async () => {
        const run = await AgentRun.createWithTask();
        run.turn([call('read.one')], { budget: { ...BUDGET, ...limits } });
        expect(run.of('agent.budget_exhausted')[0]!.data['limit']).to.equal(limit);
        expect(run.jobs()).to.deep.equal([]);
      });
    }

    it('should complete the step with its output even if the final turn exceeds the budget', async () => {
      const run = await AgentRun.createWithTask();
      run.turn({ label: 'bug' }, { budget: { ...BUDGET, turns: 1, tokens: 1 } });
      expect(run.state?.outcome).to.equal('completed');
    });

    it('should continue with an unknown price if the budget does not limit the cost', async () => {
      const run = await AgentRun.createWithTask();
      run.turn([call('read.one')], { usage: { inputTokens: 1, outputTokens: 1, costMicros: null } });
      expect(run.callJob('read.one').attempt).to.equal(1);
    });

    it('should raise an incident when the price is unknown and the budget limits the cost', async () => {
      // given
      const run = await AgentRun.createWithTask();
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
