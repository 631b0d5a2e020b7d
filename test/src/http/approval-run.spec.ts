import type { ProblemError } from '@countersign/contract';
import { buildEvidencePackJsonSchema, type Approval, type Client } from '@countersign/contract';
import { approvalModel, createTestHost, signInApprovers, type TestHost } from '@countersign/testing';
import { Validator } from '@cfworker/json-schema';
import { expect } from 'chai';
import { expectProblem, waitForApproval } from './http.spec.support.js';

describe('API: a run with an approval', () => {
  let countersign: TestHost;
  let viewer: Client;
  let operator: Client;
  let approver: Client;
  let admin: Client;

  before(async () => {
    countersign = await createTestHost({ jobTypes: ['work'] });
    [viewer, operator, approver, admin] = await Promise.all([
      countersign.client('viewer', 'vera'),
      countersign.client('operator', 'otto'),
      countersign.client('approver', 'ada'),
      countersign.client('admin', 'root'),
    ]);
    await signInApprovers(countersign, 'bea', 'cem');
    await countersign.deploy(approvalModel('simple'));
    await countersign.deploy(
      approvalModel(
        'quorum',
        '',
        '<bpmn:extensionElements><zeebe:properties><zeebe:property name="approval.quorum" value="2" /></zeebe:properties></bpmn:extensionElements>',
      ),
    );
  });

  after(() => countersign.close());

  async function createApproval(workflowId = 'simple', client = viewer): Promise<Approval> {
    const { runId } = await client.startRun({ body: { workflowId, inputs: { amount: 3 }, businessKey: 'key-1' } });
    await countersign.jobs.complete('work', { draft: 'one' });
    return waitForApproval(client, runId);
  }

  it('should complete a run after its service task and its approval', async () => {
    // given
    const startedRun = await viewer.startRun({ body: { workflowId: 'simple', inputs: { amount: 3 } } });
    expect(startedRun).to.include({
      workflowId: 'simple',
      workflowVersion: 1,
      status: 'active',
      outcome: null,
      startedBy: 'vera',
      currentStep: 'work',
      recoverable: false,
    });
    const heldJob = await countersign.jobs.take('work');
    expect(heldJob.job.variables).to.deep.equal({ amount: 3 });

    // when
    heldJob.complete({ draft: 'one' });
    const approval = await waitForApproval(viewer, startedRun.runId);
    expect(approval).to.deep.include({
      status: 'pending',
      round: 1,
      requestedBy: 'vera',
      quorum: { required: 1, approvals: 0 },
      canDecide: { allowed: false, reasons: ['forbidden', 'self_approval'] },
    });
    const blockedRun = await viewer.getRun({ runId: startedRun.runId });
    expect(blockedRun).to.deep.include({
      status: 'blocked',
      pendingApprovals: 1,
      inputs: { amount: 3 },
      variables: { amount: 3, draft: 'one' },
    });
    const decidedApproval = await approver.decideApproval({
      approvalId: approval.approvalId,
      body: { decision: 'approve', comment: 'fine', expectedDigest: approval.digest, round: 1 },
    });

    // then
    expect(decidedApproval).to.deep.include({
      status: 'approved',
      resolvedBy: 'ada',
      canDecide: { allowed: false, reasons: ['approval_already_resolved'] },
    });
    expect(decidedApproval.votes).to.have.length(1);
    const endedRun = await viewer.getRun({ runId: startedRun.runId });
    expect(endedRun).to.include({ status: 'completed', outcome: 'completed', currentStep: null });
    expect(endedRun.completedAt).to.be.a('string');
    expect(endedRun.steps.map(({ elementId, type, status }) => [elementId, type, status])).to.deep.equal([
      ['start', 'startEvent', 'completed'],
      ['work', 'serviceTask', 'completed'],
      ['ok', 'userTask', 'completed'],
      ['end', 'endEvent', 'completed'],
    ]);
    const work = endedRun.steps.find((step) => step.elementId === 'work');
    expect(work).to.deep.include({ output: { draft: 'one' }, attempt: 1, iteration: 1 });
    expect(work?.policyDecision).to.include({ decision: 'allow' });
  });

  it('should refuse the vote of the initiator, and report the deciding person to approvers who vote later', async () => {
    // given
    const approval = await createApproval('simple', await countersign.client('approver', 'ada'));
    const selfApprovalProblem = await expectProblem(
      approver.decideApproval({ approvalId: approval.approvalId, body: { decision: 'approve' } }),
    );
    expect(selfApprovalProblem).to.include({ status: 403, code: 'self_approval' });

    // when
    const deciders = await Promise.all(
      ['bea', 'cem', 'dan', 'eve'].map((name) => countersign.client('approver', name)),
    );
    const results = await Promise.allSettled(
      deciders.map((client) =>
        client.decideApproval({ approvalId: approval.approvalId, body: { decision: 'approve' } }),
      ),
    );

    // then
    const decidedApprovals = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const laterVoteProblems = results.flatMap((result) =>
      result.status === 'rejected' ? [(result.reason as ProblemError).problem] : [],
    );
    expect(decidedApprovals).to.have.length(1);
    expect(laterVoteProblems).to.have.length(3);
    for (const problem of laterVoteProblems)
      expect(problem).to.include({
        status: 409,
        code: 'approval_already_resolved',
        resolvedBy: decidedApprovals[0]?.resolvedBy,
      });
  });

  it('should count each person once for the quorum, and let an approval be delegated and reassigned', async () => {
    const { approvalId } = await createApproval('quorum');
    const first = await approver.decideApproval({ approvalId, body: { decision: 'approve' } });
    expect(first).to.deep.include({ status: 'pending', quorum: { required: 2, approvals: 1 } });
    expect(await expectProblem(approver.decideApproval({ approvalId, body: { decision: 'approve' } }))).to.include({
      code: 'already_voted',
    });

    const reassignedApproval = await admin.reassignApproval({
      approvalId,
      body: { candidateUsers: ['bea'], comment: 'bea knows' },
    });
    expect(reassignedApproval.candidateUsers).to.deep.equal(['bea']);
    const cem = await countersign.client('approver', 'cem');
    expect(await expectProblem(cem.decideApproval({ approvalId, body: { decision: 'approve' } }))).to.include({
      status: 403,
      code: 'not_a_candidate',
    });
    const bea = await countersign.client('approver', 'bea');
    const ownApprovals = await bea.listApprovals({ mine: true });
    expect(ownApprovals.items.map((item) => item.approvalId)).to.include(approvalId);
    const delegatedApproval = await bea.delegateApproval({ approvalId, body: { to: 'cem' } });
    expect(delegatedApproval.delegations).to.deep.equal([
      { from: 'bea', to: 'cem', until: null, voteId: null, absenceId: null },
    ]);
    expect(await cem.decideApproval({ approvalId, body: { decision: 'approve' } })).to.include({ status: 'approved' });
  });

  it('should end a rejected run, and refuse a vote without a required comment or with a stale digest or round', async () => {
    const rejectedApproval = await createApproval();
    await approver.decideApproval({
      approvalId: rejectedApproval.approvalId,
      body: { decision: 'reject', comment: 'no' },
    });
    expect(await viewer.getRun({ runId: rejectedApproval.runId })).to.include({
      status: 'failed',
      outcome: 'rejected',
    });

    const pendingApproval = await createApproval();
    expect(
      await expectProblem(
        approver.decideApproval({ approvalId: pendingApproval.approvalId, body: { decision: 'request_changes' } }),
      ),
    ).to.include({ status: 422, code: 'comment_required' });
    const staleDigestProblem = await expectProblem(
      approver.decideApproval({
        approvalId: pendingApproval.approvalId,
        body: { decision: 'approve', expectedDigest: `sha256:${'0'.repeat(64)}` },
      }),
    );
    expect(staleDigestProblem).to.include({ status: 409, code: 'stale_digest', digest: pendingApproval.digest });
    expect(
      await expectProblem(
        approver.decideApproval({ approvalId: pendingApproval.approvalId, body: { decision: 'approve', round: 2 } }),
      ),
    ).to.include({ status: 409, code: 'stale_round' });
  });

  it('should recover a failed step and cancel the run, each after a dry run', async () => {
    // given
    await countersign.deploy(approvalModel('once').replace('retries="3"', 'retries="1"'));
    const { runId } = await viewer.startRun({ body: { workflowId: 'once' } });
    (await countersign.jobs.take('work')).fail(new Error('the connector is down'));
    const failedRun = await waitForStatus(runId, 'failed');
    expect(failedRun).to.include({ incidents: 1, recoverable: true, outcome: null });
    const step = failedRun.steps.find((each) => each.elementId === 'work');
    expect(step).to.include({ status: 'failed', attempt: 1 });
    expect(step?.error?.retryable).to.equal(true);

    // when
    const plan = await operator.recoverRun({ runId, dryRun: true });
    expect(plan.retry.map((each) => [each.elementId, each.status])).to.deep.equal([['work', 'failed']]);
    const recoveredRun = await operator.recoverRun({ runId, body: { comment: 'The connector is available again.' } });

    // then
    expect(recoveredRun).to.include({ status: 'active', incidents: 0 });
    const heldJob = await countersign.jobs.take('work');
    expect(heldJob.job.attempt).to.equal(2);
    expect(await expectProblem(operator.recoverRun({ runId }))).to.include({
      status: 409,
      code: 'run_not_recoverable',
    });
    heldJob.complete();
    const approval = await waitForApproval(viewer, runId);

    const cancellationPlan = await operator.cancelRun({ runId, body: { reason: 'not wanted' }, dryRun: true });
    expect(cancellationPlan.stop.map((each) => each.elementId)).to.deep.equal(['ok']);
    expect(cancellationPlan.void.map((wait) => wait.kind)).to.deep.equal(['approval']);
    expect(await viewer.getRun({ runId })).to.include({ status: 'blocked' });
    expect(await operator.cancelRun({ runId, body: { reason: 'not wanted' } })).to.include({
      status: 'failed',
      outcome: 'cancelled',
    });
    expect(await viewer.getApproval({ approvalId: approval.approvalId })).to.include({
      status: 'withdrawn',
      resolvedBy: null,
    });
    expect(await expectProblem(operator.cancelRun({ runId, body: { reason: 'again' } }))).to.include({
      status: 409,
      code: 'run_already_ended',
      outcome: 'cancelled',
    });
  });

  async function waitForStatus(runId: string, status: string) {
    for await (const _event of viewer.streamRunEvents({ runId })) {
      const run = await viewer.getRun({ runId });
      if (run.status === status) return run;
    }
    throw new Error(`Run ${runId} never became ${status}.`);
  }

  it('should return an evidence pack that matches its published schema and ends with the head of the chain', async () => {
    const approval = await createApproval();
    await approver.decideApproval({ approvalId: approval.approvalId, body: { decision: 'approve' } });
    const pack = await viewer.getEvidencePack({ runId: approval.runId });

    const { valid, errors } = new Validator(buildEvidencePackJsonSchema(), '2020-12', false).validate(pack);
    expect(valid, JSON.stringify(errors.slice(-3))).to.equal(true);
    expect(pack.events.at(-1)).to.include({
      type: 'run.completed',
      hash: pack.chain.runHead.hash,
      seq: pack.chain.runHead.seq,
    });
    expect(pack.auditEvents.map((event) => event.action)).to.include.members(['run.start', 'approval.vote']);
    expect(pack.workflow.bpmnXml).to.contain('userTask');
    expect(pack.approvals).to.have.length(1);
    expect(pack.approvals[0]?.votes).to.have.length(1);
  });

  it('should list runs, audit events and workflows with filters and pages', async () => {
    await createApproval();
    await createApproval();
    const first = await viewer.listRuns({ workflowId: 'simple', waitingFor: 'approval', limit: 1 });
    expect(first.items).to.have.length(1);
    const second = await viewer.listRuns({
      workflowId: 'simple',
      waitingFor: 'approval',
      limit: 1,
      cursor: first.nextCursor ?? '',
    });
    expect(second.items[0]?.runId).to.not.equal(first.items[0]?.runId);
    expect((await viewer.listRuns({ businessKey: 'key-1', startedBy: 'vera', q: 'simple' })).items).to.not.be.empty;
    expect((await viewer.listRuns({ stuck: true })).items).to.be.empty;
    expect(await expectProblem(viewer.listRuns({ cursor: 'rubbish' }))).to.include({
      status: 400,
      code: 'invalid_cursor',
    });
    const audit = await admin.listAuditEvents({ limit: 2 });
    expect(audit.items).to.have.length(2);
    const older = await admin.listAuditEvents({ limit: 2, cursor: audit.nextCursor ?? '' });
    expect(String(older.items[0]?.auditId) < String(audit.items[1]?.auditId)).to.equal(true);
    const newer = await admin.listAuditEvents({ after: older.items[1]?.auditId ?? '', limit: 1 });
    expect(newer.items[0]?.auditId).to.equal(older.items[0]?.auditId);
    const workflows = await viewer.listWorkflows();
    expect(workflows.items.map((workflow) => workflow.workflowId)).to.include.members(['simple', 'quorum']);
  });
});
