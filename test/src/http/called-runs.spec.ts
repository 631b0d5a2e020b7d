import type { Client, Run, RunDetail } from '@countersign/contract';
import { BpmnError, TerminalFailure } from '@countersign/core/plugin';
import {
  approvalModel,
  createTestHost,
  processModel,
  serviceTask,
  type TestHost,
  waitUntil,
} from '@countersign/testing';
import { expect } from 'chai';
import { waitForApproval } from './http.spec.support.js';

/** Maximum depth of nested child runs; the root run has depth 0. */
const MAX_DEPTH = 100;

const START = '<bpmn:startEvent id="start" />';
const END = '<bpmn:endEvent id="end" />';

function callActivityXml(workflowId: string): string {
  return `<bpmn:callActivity id="call"><bpmn:extensionElements><zeebe:calledElement processId="${workflowId}" /></bpmn:extensionElements></bpmn:callActivity>`;
}

/**
 * Returns a process that calls another workflow. If an error code is passed, it catches this error of the child run and
 * ends at `handled`.
 */
function callerModel(id: string, calledWorkflowId: string, errorCode?: string): string {
  const caught =
    '<bpmn:boundaryEvent id="caught" attachedToRef="call"><bpmn:extensionElements><zeebe:ioMapping><zeebe:output source="=left" target="left" /></zeebe:ioMapping></bpmn:extensionElements><bpmn:errorEventDefinition errorRef="expected" /></bpmn:boundaryEvent><bpmn:endEvent id="handled" />';
  const flows = ['start > call', 'call > end', ...(errorCode === undefined ? [] : ['caught > handled'])];
  return processModel(
    id,
    `${START}${callActivityXml(calledWorkflowId)}${errorCode === undefined ? '' : caught}${END}`,
    ...flows,
  ).replace(
    '<bpmn:process',
    `${errorCode === undefined ? '' : `<bpmn:error id="expected" errorCode="${errorCode}" />`}<bpmn:process`,
  );
}

describe('API: parent and child runs', () => {
  let countersign: TestHost;
  let viewer: Client;
  let operator: Client;
  let approver: Client;

  before(async () => {
    countersign = await createTestHost({ jobTypes: ['work', 'sell'] });
    [viewer, operator, approver] = await Promise.all([
      countersign.client('viewer', 'vera'),
      countersign.client('operator', 'otto'),
      countersign.client('approver', 'ada'),
    ]);
    await countersign.deploy(
      processModel('sale', `${START}${serviceTask('sell', 'sell')}${END}`, 'start > sell', 'sell > end'),
    );
    await countersign.deploy(approvalModel('matter'));
  });

  after(() => countersign.close());

  const start = async (workflowId: string): Promise<string> =>
    (await viewer.startRun({ body: { workflowId, businessKey: 'order-7' } })).runId;
  const findChildRun = async (parentRunId: string, workflowId: string): Promise<Run | undefined> =>
    (await viewer.listRuns({ workflowId, limit: 200 })).items.find((run) => run.parentRunId === parentRunId);

  async function waitUntilReached(runId: string, elementId: string): Promise<RunDetail> {
    return waitUntil(`the run reaches "${elementId}"`, async () => {
      const run = await viewer.getRun({ runId });
      return run.steps.some((step) => step.elementId === elementId && step.status !== 'active') && run;
    });
  }

  it('should show the pending approval of the innermost child run as a wait of each parent run', async () => {
    // given
    await countersign.deploy(callerModel('asking', 'matter'));
    await countersign.deploy(callerModel('asking-by-another', 'asking'));

    // when
    const startedRun = await viewer.startRun({ body: { workflowId: 'asking-by-another', businessKey: 'order-7' } });
    const { runId } = startedRun;
    const middleRun = await waitUntil('the child run starts', () => findChildRun(runId, 'asking'));
    const innerRun = await waitUntil('the innermost child run starts', () => findChildRun(middleRun.runId, 'matter'));
    await countersign.jobs.complete('work');
    const approval = await waitForApproval(approver, innerRun.runId);

    // then
    expect(startedRun, 'before the child run starts').to.include({ status: 'active' });
    const outerRun = await viewer.getRun({ runId });
    expect(outerRun).to.include({ status: 'blocked', pendingApprovals: 1 });
    expect(outerRun.waitingFor, 'only the approval, not the ends of the child runs').to.deep.equal([
      { ...(await viewer.getRun({ runId: innerRun.runId })).waitingFor[0] },
    ]);
    expect(outerRun.waitingFor[0]).to.include({ kind: 'approval', approvalId: approval.approvalId });
    for (const eachRunId of [runId, middleRun.runId, innerRun.runId]) {
      const { items } = await approver.listApprovals({ runId: eachRunId });
      expect(
        items.map(({ approvalId }) => approvalId),
        eachRunId,
      ).to.deep.equal([approval.approvalId]);
    }
    expect((await viewer.listRuns({ waitingFor: 'event', businessKey: 'order-7' })).items).to.deep.equal([]);
    const listedRun = (await viewer.listRuns({ workflowId: 'asking-by-another' })).items[0];
    expect(listedRun).to.deep.include({ status: 'blocked', pendingApprovals: 1, waitingFor: outerRun.waitingFor });
    const foundRuns = await viewer.listRuns({ status: 'blocked', waitingFor: 'approval', businessKey: 'order-7' });
    const foundRunIds = foundRuns.items.map((run) => run.runId);
    expect(foundRunIds).to.have.members([innerRun.runId, middleRun.runId, runId]);
    expect(foundRunIds, 'newest first; runs of the same millisecond are ordered by id').to.deep.equal(
      [...foundRunIds].sort().reverse(),
    );
  });

  it('should show the parent run as active while a child run works and as failed when the child run has an incident', async () => {
    // given
    await countersign.deploy(callerModel('buying', 'sale'));
    const runId = await start('buying');

    // when
    const heldJob = await countersign.jobs.take('sell');
    const workingRun = await viewer.getRun({ runId });
    const found = await Promise.all(
      (['active', 'blocked'] as const).map((status) => viewer.listRuns({ workflowId: 'buying', status })),
    );
    heldJob.fail(new TerminalFailure('broken', 'The service is unavailable.'));
    const failedRun = await waitUntil('the parent run is reported as failed', async () => {
      const run = await viewer.getRun({ runId });
      return run.status === 'failed' && run;
    });

    // then
    expect(workingRun.status).to.equal('active');
    expect(found.map(({ items }) => items.map((run) => run.runId))).to.deep.equal([[runId], []]);
    expect(failedRun).to.deep.include({ outcome: null, incidents: 0 });
    expect(failedRun.error).to.deep.include({ elementId: 'sell' });
    expect(
      (await viewer.listRuns({ workflowId: 'buying', status: 'failed' })).items.map((run) => run.runId),
    ).to.deep.equal([runId]);
  });

  it('should catch an error that a child run throws and does not catch', async () => {
    // given
    await countersign.deploy(callerModel('catching', 'sale', 'sold_out'));
    const runId = await start('catching');

    // when
    const heldJob = await countersign.jobs.take('sell');
    heldJob.fail(new BpmnError('sold_out', 'The item is sold out.', { left: 0 }));
    const endedRun = await waitUntilReached(runId, 'handled');

    // then
    expect(endedRun).to.deep.include({ outcome: 'completed', variables: { left: 0 } });
    expect(await viewer.getRun({ runId: heldJob.job.runId })).to.deep.include({
      outcome: 'failed',
      parentRunId: runId,
      businessKey: 'order-7',
      error: { code: 'sold_out', message: 'The item is sold out.', elementId: null },
    });
  });

  it('should propagate an error through several parent runs and raise an incident when none catches it', async () => {
    // given
    await countersign.deploy(callerModel('inner', 'sale'));
    await countersign.deploy(callerModel('outer', 'inner'));
    const runId = await start('outer');
    const innerRun = await waitUntil('the child run starts', () => findChildRun(runId, 'inner'));

    // when
    (await countersign.jobs.take('sell')).fail(new BpmnError('sold_out', 'The item is sold out.'));
    const failedRun = await waitUntil(
      'the parent run has an incident',
      async () => (await viewer.getRun({ runId })).incidents === 1 && viewer.getRun({ runId }),
    );

    // then
    expect(failedRun).to.include({ status: 'failed', outcome: null, currentStep: 'call' });
    expect(failedRun.error).to.deep.include({ code: 'unhandled_error', elementId: 'call' });
    expect(await viewer.getRun({ runId: innerRun.runId })).to.include({ outcome: 'failed' });
    await operator.recoverRun({ runId });
    await countersign.jobs.complete('sell');
    expect(await waitUntilReached(runId, 'end'), 'after a second call').to.include({ outcome: 'completed' });
  });

  it('should end the parent run as rejected with its child run, unless the parent catches the rejection', async () => {
    await countersign.deploy(callerModel('strict', 'matter'));
    await countersign.deploy(callerModel('lenient', 'matter', 'approval.rejected'));
    for (const [workflowId, outcome] of [
      ['strict', 'rejected'],
      ['lenient', 'completed'],
    ] as const) {
      // given
      const runId = await start(workflowId);
      const called = await waitUntil('the child run starts', () => findChildRun(runId, 'matter'));
      await countersign.jobs.complete('work');
      const { approvalId, canDecide } = await waitForApproval(
        await countersign.client('approver', 'vera'),
        called.runId,
      );
      expect(canDecide.reasons, 'the initiator of a run is also the initiator of its child run').to.include(
        'self_approval',
      );

      // when
      await approver.decideApproval({ approvalId, body: { decision: 'reject', comment: 'no' } });

      // then
      expect(
        (
          await waitUntil('the parent run ends', async () =>
            (await viewer.getRun({ runId })).outcome !== null ? viewer.getRun({ runId }) : false,
          )
        ).outcome,
      ).to.equal(outcome);
      expect(await viewer.getRun({ runId: called.runId })).to.include({ outcome: 'rejected' });
    }
  });

  it('should raise an incident when the called workflow is missing, and call it in a recovery once it is deployed', async () => {
    // given
    await countersign.deploy(callerModel('early', 'later'));
    const runId = await start('early');

    // when
    const failedRun = await waitUntil(
      'the run has an incident',
      async () => (await viewer.getRun({ runId })).incidents === 1 && viewer.getRun({ runId }),
    );
    await countersign.deploy(processModel('later', `${START}${END}`, 'start > end'));
    await operator.recoverRun({ runId });

    // then
    expect(failedRun.error).to.deep.include({ code: 'workflow_not_found', elementId: 'call' });
    expect(await waitUntilReached(runId, 'end')).to.include({ outcome: 'completed' });
  });

  it(`should stop endless mutual calls at depth ${MAX_DEPTH} with an incident and cancel all runs together`, async function () {
    this.timeout(60_000);
    // given
    await countersign.deploy(callerModel('ping', 'pong'));
    await countersign.deploy(callerModel('pong', 'ping'));
    const listAllRuns = async (): Promise<Run[]> =>
      (await Promise.all(['ping', 'pong'].map((workflowId) => viewer.listRuns({ workflowId, limit: 200 })))).flatMap(
        ({ items }) => items,
      );

    // when
    const runId = await start('ping');
    const deepest = await waitUntil(
      'the deepest run has an incident',
      async () => (await listAllRuns()).find(({ incidents }) => incidents > 0),
      40,
    );

    // then
    expect(await listAllRuns()).to.have.length(MAX_DEPTH + 1);
    expect(deepest.error).to.deep.include({ code: 'call_depth_exceeded', elementId: 'call' });
    expect(deepest.error?.message).to.contain(String(MAX_DEPTH));
    expect(
      (await operator.cancelRun({ runId, body: { reason: 'endless calls' }, dryRun: true })).calledRuns,
    ).to.have.length(MAX_DEPTH);
    await operator.cancelRun({ runId, body: { reason: 'endless calls' } });
    await waitUntil(
      'all runs are cancelled',
      async () => (await listAllRuns()).every(({ outcome }) => outcome === 'cancelled'),
      40,
    );
  });
});
