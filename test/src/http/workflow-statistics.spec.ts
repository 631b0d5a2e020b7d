import type { Client, ElementStatistics, WorkflowStatistics } from '@countersign/contract';
import { approvalModel, createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { expectProblem, waitForApproval } from './http.spec.support.js';

describe('API: statistics of a workflow', function () {
  this.timeout(60_000);
  let countersign: TestHost;
  let viewer: Client;
  let operator: Client;
  let approver: Client;

  before(async () => {
    countersign = await createTestHost({ jobTypes: ['work'] });
    viewer = await countersign.client('viewer', 'vera');
    operator = await countersign.client('operator', 'otto');
    approver = await countersign.client('approver', 'ada');
  });

  after(() => countersign.close());

  const findElementStatistics = ({ elements }: WorkflowStatistics, id: string): ElementStatistics | undefined =>
    elements.find(({ elementId }) => elementId === id);
  const start = async (workflowId: string): Promise<string> => (await viewer.startRun({ body: { workflowId } })).runId;

  /** Starts a run and returns its approval. */
  async function startRunWithApproval(workflowId: string): Promise<{ runId: string; approvalId: string }> {
    const runId = await start(workflowId);
    await countersign.jobs.complete('work');
    const { approvalId } = await waitForApproval(viewer, runId);
    return { runId, approvalId };
  }

  it('should count the runs, and the outcomes of steps and approvals of each element', async () => {
    // given
    await countersign.deploy(approvalModel('counted'));
    const [approvedRun, rejectedRun, cancelledRun] = [
      await startRunWithApproval('counted'),
      await startRunWithApproval('counted'),
      await startRunWithApproval('counted'),
    ];
    await startRunWithApproval('counted');
    await approver.decideApproval({ approvalId: approvedRun.approvalId, body: { decision: 'approve' } });
    await approver.decideApproval({ approvalId: rejectedRun.approvalId, body: { decision: 'reject' } });
    await operator.cancelRun({ runId: cancelledRun.runId, body: { reason: 'not wanted' } });
    await start('counted');
    const workingJob = await countersign.jobs.take('work');

    // when
    const statistics = await viewer.getWorkflowStatistics({ workflowId: 'counted' });
    workingJob.complete();

    // then
    expect(statistics).to.deep.include({
      workflowId: 'counted',
      version: null,
      startedAfter: null,
      startedBefore: null,
    });
    expect(statistics.runs).to.deep.equal({
      total: 5,
      active: 1,
      blocked: 1,
      completed: 1,
      failed: 0,
      cancelled: 1,
      rejected: 1,
    });
    expect(statistics.sample).to.include({ complete: true });
    expect(findElementStatistics(statistics, 'work')).to.deep.include({
      entered: 5,
      active: 1,
      waiting: 0,
      completed: 4,
      failed: 0,
      cancelled: 0,
      approvals: null,
    });
    expect(findElementStatistics(statistics, 'ok')).to.deep.include({
      entered: 4,
      active: 0,
      waiting: 1,
      completed: 2,
      failed: 0,
      cancelled: 1,
      approvals: { requested: 4, approved: 1, rejected: 1, changesRequested: 0, withdrawn: 1, expired: 0 },
    });
    const { durationMs } = findElementStatistics(statistics, 'work') ?? { durationMs: null };
    expect(durationMs?.median)
      .to.be.a('number')
      .that.is.at.least(0)
      .and.at.most(durationMs?.max ?? -1);
    expect(findElementStatistics(statistics, 'end')).to.include({ entered: 1, completed: 1 });
  });

  it('should count the runs of one version, and the runs started within a period', async () => {
    // given
    await countersign.deploy(approvalModel('versioned'));
    const first = await startRunWithApproval('versioned');
    await countersign.deploy(approvalModel('versioned', '<bpmn:documentation>Second version.</bpmn:documentation>'));
    const second = await startRunWithApproval('versioned');
    const { startedAt } = await viewer.getRun({ runId: second.runId });
    const countRuns = async (query: {
      version?: number;
      startedAfter?: string;
      startedBefore?: string;
    }): Promise<number> => (await viewer.getWorkflowStatistics({ workflowId: 'versioned', ...query })).runs.total;

    // then
    expect(await countRuns({})).to.equal(2);
    expect(await countRuns({ version: 1 })).to.equal(1);
    expect(await countRuns({ version: 2 })).to.equal(1);
    expect(await countRuns({ startedBefore: startedAt })).to.equal(1);
    expect(await countRuns({ startedAfter: startedAt })).to.equal(0);
    expect((await viewer.getRun({ runId: first.runId })).workflowVersion).to.equal(1);
  });

  it('should refuse an unknown workflow or version, and return zeros and no elements when there are no runs', async () => {
    await countersign.deploy(approvalModel('unused'));
    expect((await expectProblem(viewer.getWorkflowStatistics({ workflowId: 'nowhere' }))).code).to.equal(
      'workflow_not_found',
    );
    expect((await expectProblem(viewer.getWorkflowStatistics({ workflowId: 'unused', version: 7 }))).code).to.equal(
      'workflow_version_not_found',
    );
    expect(await viewer.getWorkflowStatistics({ workflowId: 'unused', version: 1 })).to.deep.include({
      version: 1,
      runs: { total: 0, active: 0, blocked: 0, completed: 0, failed: 0, cancelled: 0, rejected: 0 },
      elements: [],
    });
  });
});
