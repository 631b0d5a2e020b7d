import { expect } from 'chai';
import type { Json } from '@countersign/model';
import { user } from '../interpreter.spec.support.js';
import { AgentRun, agentTask, call, policyFor, write } from './agents.spec.support.js';

const requireApprovalFor = (...tools: string[]): AgentRun['policy'] =>
  policyFor(
    Object.fromEntries(
      tools.map((tool) => [
        tool,
        { decision: 'require_approval' as const, rationale: 'It writes.', riskLevel: 'high' as const },
      ]),
    ),
  );
const recordArtifact = (run: AgentRun, name: string, sha256: string, by = 'alice'): unknown =>
  run.do({
    type: 'artifact.record',
    actor: user(by),
    artifactId: `id-${sha256}`,
    name,
    size: 1,
    sha256,
    contentType: 'text/plain',
  });

function setVariable(run: AgentRun, name: string, value: Json): void {
  const { state } = run;
  const root = state!.instances[state!.root]!;
  run.state = {
    ...state!,
    instances: { ...state!.instances, [root.key]: { ...root, variables: { ...root.variables, [name]: value } } },
  };
}

async function startPendingApproval(
  call = write('issue.comment', { text: 'Hi' }),
  policy = requireApprovalFor('issue.comment'),
  task = agentTask('a'),
): Promise<AgentRun> {
  const run = await AgentRun.createWithTask(task, {}, (each) => (each.policy = policy));
  run.turn([call]);
  return run;
}

describe('approvals of tool calls', () => {
  it('should request approval of the exact call, and dispatch the call when it is approved', async () => {
    // given
    const run = await startPendingApproval(write('issue.comment', { text: 'Hi' }, { hosts: ['code.example'] }));
    // then
    expect(run.project()).to.deep.include({ status: 'blocked', pendingApprovals: 1 });
    const openRequest = run.requests.find((request) => request.type === 'approval.open');
    expect(openRequest?.type === 'approval.open' && openRequest.approval).to.deep.include({
      title: 'a: issue.comment',
      round: 1,
      quorum: 1,
      riskLevel: 'high',
      rationale: 'It writes.',
    });
    const { callId } = run.call('issue.comment');
    expect(openRequest?.type === 'approval.open' && openRequest.approval.subject).to.deep.include({
      kind: 'tool_call',
      callId,
      tool: 'issue.comment',
      effect: 'write',
      hosts: ['code.example'],
      inputs: { text: 'Hi' },
      editedBy: null,
      policy: { id: 'test', digest: 'sha256:0' },
      taint: [],
    });
    const { approvalId, digest } = run.getPendingApproval('issue.comment');
    // when
    const { approval } = run.decide('issue.comment', 'approve');
    // then
    expect(approval?.status).to.equal('approved');
    expect(run.callJob('issue.comment').callId).to.equal(callId);
    expect(run.of('agent.call.dispatched')[0]!.data).to.deep.equal({
      callId,
      tool: 'issue.comment',
      approvalId,
      approvedDigest: digest,
    });
    expect(run.project().status).to.equal('active');
  });

  it('should dispatch a call only once when the vote is repeated', async () => {
    const run = await startPendingApproval();
    run.decide('issue.comment', 'approve');
    // when
    const { refusal } = run.do(run.commands.at(-1)!.command);
    // then
    expect(refusal?.code).to.equal('approval_already_resolved');
    expect(run.of('agent.call.dispatched')).to.have.length(1);
  });

  for (const [decision, code] of [
    ['reject', 'approval_rejected'],
    ['request_changes', 'approval_changes_requested'],
  ] as const) {
    it(`should return the comment to the agent and request the next turn when a person votes ${decision}`, async () => {
      // given
      const run = await startPendingApproval();
      const { approvalId } = run.getPendingApproval('issue.comment');
      // when
      run.decide('issue.comment', decision, { comment: 'Too rude.' });
      // then
      const [refused] = run.of('agent.call.refused');
      expect(refused!.data).to.deep.include({ code, approvalId });
      expect(refused!.private?.['content']).to.deep.include({ error: code, comment: 'Too rude.' });
      expect(run.state?.outcome).to.equal(null);
      expect(run.turnJob().jobType).to.equal('agent');
    });
  }

  it('should require a comment for request_changes', async () => {
    const run = await startPendingApproval();
    expect(run.decide('issue.comment', 'request_changes').refusal?.code).to.equal('comment_required');
  });

  it('should continue other calls of the turn while an approval is pending', async () => {
    // given
    const run = await AgentRun.createWithTask(
      undefined,
      {},
      (each) => (each.policy = requireApprovalFor('issue.comment', 'issue.close')),
    );
    run.turn([write('issue.comment'), call('read.one'), write('issue.close')]);
    // then
    expect(run.project()).to.deep.include({ status: 'active', pendingApprovals: 2 });
    // when
    run.result('read.one');
    run.decide('issue.close', 'reject');
    // then
    expect(run.project()).to.deep.include({ status: 'blocked', pendingApprovals: 1 });
    run.decide('issue.comment', 'approve');
    run.result('issue.comment');
    expect(run.agent().calls).to.deep.equal([]);
    expect(run.turnJob().jobType).to.equal('agent');
  });

  describe('candidates', () => {
    it('should use the candidates and the quorum of the task', async () => {
      // given
      const run = await startPendingApproval(
        undefined,
        undefined,
        agentTask('a', '', {
          'approval.candidateUsers': 'ann, bob',
          'approval.candidateGroups': '=[&quot;leads&quot;]',
          'approval.quorum': '2',
        }),
      );
      // then
      expect(run.getPendingApproval('issue.comment')).to.deep.include({
        candidateUsers: ['ann', 'bob'],
        candidateGroups: ['leads'],
        quorum: 2,
      });
      // when
      expect(run.decide('issue.comment', 'approve', { actor: user('eve') }).refusal?.code).to.equal('not_a_candidate');
      run.decide('issue.comment', 'approve', { actor: user('ann') });
      // then
      expect(run.jobs()).to.deep.equal([]);
      // when
      expect(run.decide('issue.comment', 'approve', { actor: user('ann') }).refusal?.code).to.equal('already_voted');
      run.decide('issue.comment', 'approve', { actor: user('carl', 'leads') });
      // then
      expect(run.callJob('issue.comment').attempt).to.equal(1);
    });

    it('should fail the step with approval_invalid if the policy names a candidate whose id is too long', async () => {
      const approval = { candidateUsers: ['x'.repeat(256)], candidateGroups: [], quorum: 1 };
      const run = await startPendingApproval(
        undefined,
        policyFor({ 'issue.comment': { decision: 'require_approval', approval } }),
      );
      expect(run.of('step.failed')[0]?.data['code']).to.equal('approval_invalid');
    });

    it('should use the candidates of the policy, and the larger quorum of policy and task', async () => {
      const approval = { candidateUsers: ['pol'], candidateGroups: [], quorum: 1 };
      const run = await startPendingApproval(
        undefined,
        policyFor({ 'issue.comment': { decision: 'require_approval', approval } }),
        agentTask('a', '', { 'approval.candidateUsers': 'ann', 'approval.quorum': '2' }),
      );
      expect(run.getPendingApproval('issue.comment')).to.deep.include({
        candidateUsers: ['pol'],
        candidateGroups: [],
        quorum: 2,
      });
    });

    it('should refuse the vote of the user who started the run or recorded an artifact that the call reads', async () => {
      // given
      const run = await AgentRun.createWithTask(
        undefined,
        {},
        (each) => (each.policy = requireApprovalFor('mail.send')),
      );
      recordArtifact(run, 'report.txt', 'one');
      run.turn([write('mail.send', {}, { artifacts: ['report.txt'] })]);
      // then
      for (const id of ['starter', 'alice'])
        expect(run.decide('mail.send', 'approve', { actor: user(id) }).refusal?.code).to.equal('self_approval');
    });

    it('should let a candidate delegate the vote', async () => {
      const run = await startPendingApproval(
        undefined,
        undefined,
        agentTask('a', '', { 'approval.candidateUsers': 'ann' }),
      );
      const { approvalId } = run.getPendingApproval('issue.comment');
      // when
      const { approval } = run.do({
        type: 'approval.delegate',
        actor: user('ann'),
        approvalId,
        to: 'bob',
        until: null,
      });
      run.decide('issue.comment', 'approve', { actor: user('bob') });
      // then
      expect(approval?.subject.kind).to.equal('tool_call');
      expect(run.callJob('issue.comment').attempt).to.equal(1);
    });

    it('should refuse former candidates after an administrator reassigns the approval', async () => {
      const run = await startPendingApproval();
      const { approvalId } = run.getPendingApproval('issue.comment');
      // when
      run.do({
        type: 'approval.reassign',
        actor: user('root'),
        approvalId,
        candidateUsers: ['ann'],
        candidateGroups: [],
        comment: null,
      });
      // then
      expect(run.decide('issue.comment', 'approve').refusal?.code).to.equal('not_a_candidate');
    });
  });

  describe('changes while an approval is pending', () => {
    it('should open a new round when an artifact that the call reads has a new version', async () => {
      // given
      const run = await AgentRun.createWithTask(
        undefined,
        {},
        (each) => (each.policy = requireApprovalFor('mail.send')),
      );
      recordArtifact(run, 'report.txt', 'one');
      run.turn([write('mail.send', {}, { artifacts: ['report.txt'] })]);
      const first = run.getPendingApproval('mail.send');
      recordArtifact(run, 'report.txt', 'two');
      // when
      const { refusal } = run.decide('mail.send', 'approve');
      // then
      const second = run.getPendingApproval('mail.send');
      expect(refusal).to.deep.include({
        code: 'stale_digest',
        details: { approvalId: second.approvalId, round: 2, digest: second.digest },
      });
      expect(second.previousApprovalId).to.equal(first.approvalId);
      expect(run.of('approval.withdrawn')[0]!.data).to.deep.include({
        approvalId: first.approvalId,
        reason: 'subject_changed',
      });
      // when
      run.decide('mail.send', 'approve');
      // then
      expect(run.call('mail.send').pinned).to.deep.equal([{ name: 'report.txt', version: 2, sha256: 'two' }]);
      expect(run.callJob('mail.send').attempt).to.equal(1);
    });

    it('should open a new round when the policy digest has changed', async () => {
      const run = await startPendingApproval();
      const before = run.policy;
      run.policy = (request) => ({ ...before(request), policyDigest: 'sha256:new' });
      // when
      const { refusal } = run.decide('issue.comment', 'approve');
      // then
      expect(refusal?.code).to.equal('stale_digest');
      expect(run.getPendingApproval('issue.comment').round).to.equal(2);
      expect(run.of('agent.call.dispatched')).to.deep.equal([]);
    });

    it('should dispatch an allowed call, or refuse a denied call, when a new policy no longer requires approval', async () => {
      for (const [decision, type] of [
        ['allow', 'agent.call.dispatched'],
        ['deny', 'agent.call.refused'],
      ] as const) {
        // given
        const run = await startPendingApproval();
        run.policy = policyFor({ 'issue.comment': { decision, policyDigest: 'sha256:new' } });
        // when
        const { refusal } = run.decide('issue.comment', 'approve');
        // then
        expect(refusal?.code).to.equal('stale_digest');
        expect(run.of(type)).to.have.length(1);
        expect(run.of('agent.call.dispatched')[0]?.data['approvedDigest'] ?? null).to.equal(null);
        expect(run.project().pendingApprovals).to.equal(0);
      }
    });

    it('should refuse an approved call that the same policy now denies', async () => {
      const run = await startPendingApproval();
      run.policy = policyFor({ 'issue.comment': { decision: 'deny' } });
      // when
      run.decide('issue.comment', 'approve');
      // then
      expect(run.of('agent.call.dispatched')).to.deep.equal([]);
      expect(run.of('agent.call.refused')[0]!.data['code']).to.equal('policy_denied');
    });

    it('should open a new round with the larger quorum when the same policy now requires more votes', async () => {
      // given
      const run = await startPendingApproval();
      const before = run.getPendingApproval('issue.comment');
      run.policy = policyFor({
        'issue.comment': {
          decision: 'require_approval',
          approval: { candidateUsers: [], candidateGroups: [], quorum: 2 },
        },
      });
      // when
      const { refusal } = run.decide('issue.comment', 'approve');
      // then
      expect(refusal?.code).to.equal('stale_digest');
      expect(run.jobs()).to.deep.equal([]);
      expect(run.getPendingApproval('issue.comment')).to.deep.include({
        round: 2,
        previousApprovalId: before.approvalId,
        digest: before.digest,
        quorum: 2,
        votes: [],
      });
      // when
      run.decide('issue.comment', 'approve');
      expect(run.jobs()).to.deep.equal([]);
      run.decide('issue.comment', 'approve', { actor: user('eve') });
      // then
      expect(run.callJob('issue.comment').attempt).to.equal(1);
    });

    it('should refuse a vote while the policy is unavailable', async () => {
      const run = await startPendingApproval();
      run.policy = () => {
        throw new Error('The policy is unavailable.');
      };
      // when
      const { refusal, events } = run.decide('issue.comment', 'approve');
      // then
      expect(refusal?.code).to.equal('service_unavailable');
      expect(events).to.deep.equal([]);
    });

    it('should open a new round when the tool definition has changed after the approval', async () => {
      // given
      const run = await startPendingApproval();
      run.decide('issue.comment', 'approve');
      const { jobId } = run.callJob('issue.comment');
      // when
      run.do({
        type: 'agent.repropose',
        actor: user('worker'),
        jobId,
        call: write('issue.comment', { text: 'Hi' }, { toolDigest: 'sha256:new' }),
      });
      // then
      expect(run.jobs()).to.deep.equal([]);
      expect(run.of('agent.call.changed')[0]!.data).to.deep.equal({
        callId: run.call('issue.comment').callId,
        tool: 'issue.comment',
        toolDigest: 'sha256:new',
      });
      expect(run.getPendingApproval('issue.comment').round).to.equal(2);
      expect(run.call('issue.comment').toolDigest).to.equal('sha256:new');
    });
  });

  describe('with task expressions that can no longer be evaluated', () => {
    const task =
      '<bpmn:serviceTask id="a"><bpmn:extensionElements><zeebe:taskDefinition type="agent" retries="=n"/><zeebe:properties><zeebe:property name="approval.quorum" value="=if n = 3 then 1 else n"/></zeebe:properties></bpmn:extensionElements></bpmn:serviceTask>';
    const startRunOfTask = async (): Promise<AgentRun> => {
      const run = await AgentRun.createWithTask(
        task,
        { n: 3 },
        (each) => (each.policy = requireApprovalFor('issue.comment')),
      );
      run.turn([write('issue.comment', { text: 'Hi' })]);
      return run;
    };

    it('should raise an incident after the approval, and keep the approval when the run is recovered', async () => {
      // given
      const run = await startRunOfTask();
      setVariable(run, 'n', 'many');
      // when
      const { refusal } = run.decide('issue.comment', 'approve');
      // then
      expect(refusal).to.equal(null);
      expect(run.of('approval.resolved')).to.have.length(1);
      expect(run.at('a').incident?.code).to.equal('job_retries_invalid');
      expect(run.jobs()).to.deep.equal([]);
      // when
      setVariable(run, 'n', 3);
      run.recover();
      // then
      expect(run.of('approval.resolved')).to.have.length(1);
      expect(run.of('agent.call.dispatched')[0]!.data['approvedDigest']).to.equal(
        run.call('issue.comment').approvedDigest,
      );
    });

    it('should refuse an edit and leave the pending approval unchanged', async () => {
      const run = await startRunOfTask();
      setVariable(run, 'n', 'many');
      // when
      const { refusal, events } = run.decide('issue.comment', 'approve', {
        edited: write('issue.comment', { text: 'Hello' }),
      });
      // then
      expect(refusal?.code).to.equal('edit_not_possible');
      expect(events).to.deep.equal([]);
    });
  });

  describe('edits of the call', () => {
    const editedCall = write('issue.comment', { text: 'Hello' });

    it('should require the approval of another person, and dispatch the edited call', async () => {
      // given
      const run = await startPendingApproval();
      const first = run.getPendingApproval('issue.comment');
      const { callId } = run.call('issue.comment');
      // when
      run.decide('issue.comment', 'approve', { edited: editedCall, comment: 'Politely.' });
      // then
      expect(run.decide('issue.comment', 'approve').refusal?.code).to.equal('self_approval');
      expect(run.jobs()).to.deep.equal([]);
      // when
      const { approval } = run.decide('issue.comment', 'approve', { actor: user('ann') });
      // then
      expect(approval).to.deep.include({ status: 'approved', round: 2, previousApprovalId: first.approvalId });
      expect(approval?.subject).to.deep.include({ inputs: { text: 'Hello' }, editedBy: 'boss', callId });
      expect(run.of('approval.withdrawn')[0]!.data).to.deep.include({ approvalId: first.approvalId, reason: 'edited' });
      expect(run.call('issue.comment')).to.deep.include({
        callId,
        arguments: { text: 'Hello' },
        editedBy: 'boss',
        status: 'job',
      });
      expect(
        run
          .of('agent.call.requested')
          .map(({ data, private: privateData }) => [
            data['edited'],
            privateData?.['arguments'],
            privateData?.['comment'],
          ]),
      ).to.deep.equal([
        [false, { text: 'Hi' }, undefined],
        [true, { text: 'Hello' }, 'Politely.'],
      ]);
      expect(run.of('agent.call.dispatched')[0]!.data).to.deep.include({
        approvalId: approval?.approvalId,
        approvedDigest: approval?.digest,
      });
    });

    it('should require the full quorum for the edited call, not counting earlier votes or the vote of the editor', async () => {
      // given
      const run = await startPendingApproval(undefined, undefined, agentTask('a', '', { 'approval.quorum': '2' }));
      run.decide('issue.comment', 'approve', { actor: user('ann') });
      // when
      run.decide('issue.comment', 'approve', { actor: user('bob'), edited: editedCall });
      // then
      expect(run.jobs()).to.deep.equal([]);
      expect(run.getPendingApproval('issue.comment')).to.deep.include({ round: 2 });
      expect(run.getPendingApproval('issue.comment').votes).to.deep.equal([]);
      // when
      run.decide('issue.comment', 'approve', { actor: user('ann') });
      expect(run.jobs()).to.deep.equal([]);
      run.decide('issue.comment', 'approve', { actor: user('cid') });
      // then
      expect(run.callJob('issue.comment').attempt).to.equal(1);
    });

    it('should refuse the substitute of the previous round when the absent approver is back', async () => {
      // given
      const run = await startPendingApproval(
        undefined,
        undefined,
        agentTask('a', '', { 'approval.candidateUsers': 'ann,cid,dan', 'approval.quorum': '2' }),
      );
      const absences = [{ absenceId: 'away', subject: 'ann', substitute: 'bob', from: 0, until: Date.UTC(2100, 0) }];
      const { approvalId } = run.getPendingApproval('issue.comment');
      run.do({
        type: 'approval.vote',
        actor: user('bob'),
        approvalId,
        decision: 'approve',
        comment: null,
        expectedDigest: null,
        expectedRound: null,
        absences,
      });
      // when
      run.decide('issue.comment', 'approve', { actor: user('cid'), edited: editedCall });
      // then
      expect(run.decide('issue.comment', 'approve', { actor: user('bob') }).refusal?.code).to.equal('not_a_candidate');
      run.decide('issue.comment', 'approve', { actor: user('ann') });
      run.decide('issue.comment', 'approve', { actor: user('dan') });
      expect(run.callJob('issue.comment').attempt).to.equal(1);
    });

    it('should keep the reassigned candidates and the quorum, unless the policy names other candidates', async () => {
      // given
      const requireQuorum = (quorum: number) => ({
        decision: 'require_approval' as const,
        approval: { candidateUsers: ['ann', 'bob'], candidateGroups: [], quorum },
      });
      const run = await startPendingApproval(undefined, policyFor({ 'issue.comment': requireQuorum(2) }));
      const { approvalId } = run.getPendingApproval('issue.comment');
      run.do({
        type: 'approval.reassign',
        actor: user('root'),
        approvalId,
        candidateUsers: ['carl', 'dan'],
        candidateGroups: [],
        comment: null,
      });
      const before = run.policy;
      run.policy = (request) =>
        request.call?.edited === true ? { ...policyFor({})(request), decision: 'require_approval' } : before(request);
      // when
      run.decide('issue.comment', 'approve', { actor: user('carl'), edited: editedCall });
      // then
      expect(run.getPendingApproval('issue.comment')).to.deep.include({ candidateUsers: ['carl', 'dan'], quorum: 2 });
      // when
      run.policy = (request) =>
        request.call?.edited === true ? { ...policyFor({})(request), ...requireQuorum(1) } : before(request);
      const { refusal } = run.decide('issue.comment', 'approve', {
        actor: user('dan'),
        edited: write('issue.comment', { text: 'Hey' }),
      });
      // then
      expect(refusal?.code).to.equal('not_a_candidate');
    });

    it('should refuse an edit that the policy denies', async () => {
      // given
      const run = await startPendingApproval();
      const before = run.policy;
      run.policy = (request) => ({
        ...before(request),
        ...(request.call?.edited === true ? { decision: 'deny' as const } : {}),
      });
      // when
      const { refusal, events } = run.decide('issue.comment', 'approve', { edited: editedCall });
      // then
      expect(refusal?.code).to.equal('policy_denied');
      expect(events).to.deep.equal([]);
    });

    it('should refuse an edit that names an artifact recorded by the editor', async () => {
      const run = await startPendingApproval();
      recordArtifact(run, 'mine.txt', 'one', 'boss');
      // when
      const { refusal } = run.decide('issue.comment', 'approve', {
        edited: { ...editedCall, artifacts: ['mine.txt'] },
      });
      // then
      expect(refusal?.code).to.equal('self_approval');
    });

    it('should refuse an edit if the destination of the edited call cannot be parsed', async () => {
      const run = await startPendingApproval();
      const { refusal } = run.decide('issue.comment', 'approve', {
        edited: { ...editedCall, hosts: ['a.example/path'] },
      });
      expect(refusal?.code).to.equal('edit_not_possible');
      expect(refusal?.message).to.contain('"a.example/path" is neither an origin');
    });

    it('should refuse an edit for another tool, or with a rejection', async () => {
      const run = await startPendingApproval();
      expect(run.decide('issue.comment', 'approve', { edited: write('issue.close') }).refusal?.code).to.equal(
        'edit_not_possible',
      );
      expect(run.decide('issue.comment', 'reject', { edited: editedCall }).refusal?.code).to.equal('edit_not_possible');
    });
  });
});
