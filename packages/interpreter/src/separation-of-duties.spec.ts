import { expect } from 'chai';
import type { OutgoingMessage } from '@countersign/model';
import { AgentRun, policyFor } from './agents/agents.spec.support.js';
import { approval, end, flows, RUN_ID, start, TestRun, user } from './interpreter.spec.support.js';

const APPROVAL_MODEL = `${start}${approval('ok', '<zeebe:assignmentDefinition candidateUsers="ann"/>')}${end}${flows('start > ok', 'ok > end')}`;

describe('separation of duties', () => {
  it('should exclude an administrator who made themselves a candidate, even after an edit of the call', async () => {
    // given
    const run = await AgentRun.createWithTask(
      undefined,
      {},
      (each) => (each.policy = policyFor({ 'issue.comment': { decision: 'require_approval' } })),
    );
    const call = {
      toolCallId: 'c',
      tool: 'issue.comment',
      toolDigest: 'sha256:c',
      effect: 'write',
      reversible: false,
      hosts: [],
      artifacts: [],
      arguments: { text: 'Hi' },
      problem: null,
      question: null,
    } as const;
    run.turn([call]);
    const { approvalId } = run.getPendingApproval('issue.comment');
    run.do({
      type: 'approval.reassign',
      actor: user('other'),
      approvalId,
      candidateUsers: ['ann'],
      candidateGroups: [],
      comment: null,
    });
    run.do({
      type: 'approval.reassign',
      actor: user('root'),
      approvalId,
      candidateUsers: ['root', 'ann', 'bob'],
      candidateGroups: [],
      comment: null,
    });

    // when
    run.decide('issue.comment', 'approve', { actor: user('ann'), edited: { ...call, arguments: { text: 'Hello' } } });

    // then
    for (const id of ['root', 'ann'])
      expect(run.decide('issue.comment', 'approve', { actor: user(id) }).refusal?.code).to.equal('self_approval');
    expect(run.decide('issue.comment', 'approve', { actor: user('bob') }).refusal).to.equal(null);
  });

  it('should refuse the vote of a substitute who entered the absence for the absent person', async () => {
    const run = await TestRun.of(APPROVAL_MODEL);
    run.start();
    const { approvalId } = run.wait('ok', 'approval').approval;
    const voteAsSubstitute = (setBy: string) => {
      const absence = { absenceId: 'a', subject: 'ann', substitute: 'root', from: 0, until: Date.UTC(2100, 0), setBy };
      return run.do({
        type: 'approval.vote',
        actor: user('root'),
        approvalId,
        decision: 'approve',
        comment: null,
        expectedDigest: null,
        expectedRound: null,
        absences: [absence],
      }).refusal?.code;
    };
    expect(voteAsSubstitute('root')).to.equal('not_a_candidate');
    expect(voteAsSubstitute('ann')).to.equal(undefined);
  });

  it('should match user names in a BPMN model regardless of their Unicode normalization form', async () => {
    const assigneeModel = APPROVAL_MODEL.replace('candidateUsers="ann"', 'assignee="Jos\u0065\u0301"');
    const run = await TestRun.of(assigneeModel);
    run.start();
    expect(run.wait('ok', 'approval').approval.candidateUsers).to.deep.equal(['Jos\u00e9']);
    expect(run.vote('ok', 'approve', user('Jos\u00e9')).refusal).to.equal(null);
  });

  it('should apply to a user whose id is __proto__', async () => {
    const run = await TestRun.of(`${start}${approval('ok')}${end}${flows('start > ok', 'ok > end')}`);
    run.start({}, user('__proto__'));
    expect(run.vote('ok', 'approve', user('__proto__')).refusal?.code).to.equal('self_approval');
  });

  it('should report the deployer of a child run to its parent run if excludeDeployers is enabled', async () => {
    const run = await TestRun.of(`${start}${end}${flows('start > end')}`);
    run.context = () => ({
      ...TestRun.prototype.context.call(run),
      settings: {
        separationOfDuties: true,
        excludeDeployers: true,
        requireDigest: false,
        retryBackoffMs: 1,
        retryBackoffMaxMs: 1,
      },
      deployedBy: 'dora',
    });
    run.do({
      type: 'start',
      actor: user('starter'),
      runId: RUN_ID,
      workflowVersion: 1,
      workflowDigest: 'sha256:1',
      businessKey: null,
      inputs: {},
      parent: { runId: RUN_ID, rootRunId: RUN_ID, depth: 1 },
    });
    const sentMessages = run.requests.flatMap((request): OutgoingMessage[] =>
      request.type === 'send' ? [request.message] : [],
    );
    expect(sentMessages.map((message) => 'report' in message && message.report.contributors)).to.deep.equal([['dora']]);
  });
});
