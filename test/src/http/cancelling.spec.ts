import type { Client, RunDetail } from '@countersign/contract';
import { createTestHost, processModel, serviceTask, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { expectProblem } from './http.spec.support.js';

const CANCEL_BODY = { reason: 'not wanted' };

/** Returns a task whose compensation is the task `undo-…`. */
function compensableTask(id: string): string {
  const handler = serviceTask(`undo-${id}`, `undo-${id}`, 1).replace(
    '<bpmn:serviceTask',
    '<bpmn:serviceTask isForCompensation="true"',
  );
  return (
    `${serviceTask(id, id)}<bpmn:boundaryEvent id="${id}-undone" attachedToRef="${id}"><bpmn:compensateEventDefinition /></bpmn:boundaryEvent>${handler}` +
    `<bpmn:association id="${id}-by" sourceRef="${id}-undone" targetRef="undo-${id}" associationDirection="One" />`
  );
}

function callActivityXml(id: string, workflowId: string): string {
  return `<bpmn:callActivity id="${id}"><bpmn:extensionElements><zeebe:calledElement processId="${workflowId}" /></bpmn:extensionElements></bpmn:callActivity>`;
}

const START = '<bpmn:startEvent id="start" />';
const END = '<bpmn:endEvent id="end" />';
const TRIP_MODEL = processModel(
  'trip',
  `${START}${compensableTask('hotel')}${compensableTask('flight')}${callActivityXml('pay', 'payment')}${END}`,
  'start > hotel',
  'hotel > flight',
  'flight > pay',
  'pay > end',
);
const PAYMENT_MODEL = processModel(
  'payment',
  `${START}${compensableTask('charge')}${callActivityXml('wait', 'clearing')}${END}`,
  'start > charge',
  'charge > wait',
  'wait > end',
);
const CLEARING_MODEL = processModel(
  'clearing',
  `${START}${serviceTask('clear', 'clear')}${END}`,
  'start > clear',
  'clear > end',
);

describe('API: cancellation of a run with compensation', () => {
  let countersign: TestHost;
  let viewer: Client;
  let operator: Client;

  before(async () => {
    countersign = await createTestHost({
      jobTypes: ['hotel', 'flight', 'charge', 'clear', 'undo-hotel', 'undo-flight', 'undo-charge'],
    });
    [viewer, operator] = await Promise.all([
      countersign.client('viewer', 'vera'),
      countersign.client('operator', 'otto'),
    ]);
    for (const model of [TRIP_MODEL, PAYMENT_MODEL, CLEARING_MODEL]) await countersign.deploy(model);
  });

  after(() => countersign.close());

  /**
   * Starts a trip whose child run waits for another child run, which has a job in progress. All three runs are active.
   */
  async function startBookedTrip(): Promise<{ runId: string; childRunIds: string[]; clearingSignal: AbortSignal }> {
    const { runId } = await viewer.startRun({ body: { workflowId: 'trip' } });
    for (const jobType of ['hotel', 'flight', 'charge']) await countersign.jobs.complete(jobType);
    const { job } = await countersign.jobs.take('clear');
    const [paymentRun] = (await viewer.listRuns({ workflowId: 'payment', limit: 1 })).items;
    return { runId, childRunIds: [paymentRun?.runId ?? '', job.runId], clearingSignal: job.signal };
  }

  async function waitUntilEnded(runId: string): Promise<RunDetail> {
    for await (const event of viewer.streamRunEvents({ runId })) void event;
    return viewer.getRun({ runId });
  }

  it('should return a plan with the compensation in execution order and the child runs to cancel', async () => {
    // given
    const { runId, childRunIds } = await startBookedTrip();

    // when
    const plan = await operator.cancelRun({ runId, body: CANCEL_BODY, dryRun: true });

    // then
    expect(plan.compensate.map(({ elementId, status }) => `${elementId} ${status}`)).to.deep.equal([
      'flight completed',
      'hotel completed',
    ]);
    expect(plan.stop.map(({ elementId }) => elementId)).to.deep.equal(['pay']);
    expect(
      plan.calledRuns.map((each) => ({ ...each, compensate: each.compensate.map(({ elementId }) => elementId) })),
    ).to.deep.equal([
      { runId: childRunIds[0], parentRunId: runId, workflowId: 'payment', status: 'active', compensate: ['charge'] },
      { runId: childRunIds[1], parentRunId: childRunIds[0], workflowId: 'clearing', status: 'active', compensate: [] },
    ]);
    expect(plan.notes[0]).to.contain('compensated');
    expect(await viewer.getRun({ runId })).to.include({ status: 'active', cancelling: false });
    expect(await viewer.getRun({ runId: childRunIds[1] ?? '' })).to.include({ status: 'active' });
  });

  it('should keep the run active until it and its child runs are compensated', async () => {
    // given
    const { runId, childRunIds, clearingSignal } = await startBookedTrip();

    // when
    const cancelledRun = await operator.cancelRun({ runId, body: CANCEL_BODY });

    // then
    expect(cancelledRun).to.include({ status: 'active', outcome: null, cancelling: true, completedAt: null });
    expect((await viewer.listRuns({ workflowId: 'trip', limit: 1 })).items[0]).to.include({ runId, cancelling: true });
    expect(await expectProblem(operator.cancelRun({ runId, body: CANCEL_BODY }))).to.include({
      status: 409,
      code: 'run_cancelling',
    });
    expect(await expectProblem(operator.cancelRun({ runId, body: CANCEL_BODY, dryRun: true }))).to.include({
      status: 409,
      code: 'run_cancelling',
    });
    await countersign.jobs.complete('undo-flight');
    await countersign.jobs.complete('undo-hotel');
    await countersign.jobs.complete('undo-charge');
    expect(await waitUntilEnded(runId)).to.include({ status: 'failed', outcome: 'cancelled', cancelling: false });
    for (const childRunId of childRunIds)
      expect(await waitUntilEnded(childRunId)).to.include({ outcome: 'cancelled', cancelling: false });
    expect(clearingSignal.aborted).to.equal(true);
  });

  it('should record the compensated steps and their handlers in the history', async () => {
    // given
    const { runId } = await startBookedTrip();
    await operator.cancelRun({ runId, body: CANCEL_BODY });

    // when
    for (const jobType of ['undo-flight', 'undo-hotel', 'undo-charge']) await countersign.jobs.complete(jobType);
    const { steps } = await waitUntilEnded(runId);
    const { items } = await viewer.listRunEvents({ runId, limit: 200 });

    // then
    const findStepId = (elementId: string) => steps.find((step) => step.elementId === elementId)?.stepId;
    expect(items.find(({ type }) => type === 'compensation.started')?.data).to.deep.equal({
      elements: ['flight', 'hotel'],
      steps: [findStepId('flight'), findStepId('hotel')],
    });
    expect(
      items.flatMap(({ type, stepId, elementId, data }) =>
        type === 'step.compensated' ? [{ stepId, elementId, ...data }] : [],
      ),
    ).to.deep.equal(
      ['flight', 'hotel'].map((elementId) => ({
        stepId: findStepId(elementId),
        elementId,
        handler: `undo-${elementId}`,
        handlerStepId: findStepId(`undo-${elementId}`),
      })),
    );
    expect(items.slice(-2).map(({ type }) => type)).to.deep.equal(['compensation.completed', 'run.cancelled']);
  });

  it('should wait for an operator when a compensation handler fails, and continue after a recovery', async () => {
    // given
    const { runId } = await startBookedTrip();
    await operator.cancelRun({ runId, body: CANCEL_BODY });

    // when
    (await countersign.jobs.take('undo-flight')).fail(new Error('the airline is closed'));
    for await (const { type } of viewer.streamRunEvents({ runId })) if (type === 'step.failed') break;

    // then
    expect(await viewer.getRun({ runId })).to.include({
      status: 'failed',
      outcome: null,
      cancelling: true,
      incidents: 1,
      recoverable: true,
    });
    expect(await expectProblem(operator.cancelRun({ runId, body: CANCEL_BODY }))).to.include({
      status: 409,
      code: 'run_cancelling',
    });
    expect(await operator.recoverRun({ runId, body: { comment: 'it opened' } })).to.include({
      status: 'active',
      cancelling: true,
      incidents: 0,
    });
    for (const jobType of ['undo-flight', 'undo-hotel', 'undo-charge']) await countersign.jobs.complete(jobType);
    expect(await waitUntilEnded(runId)).to.include({ outcome: 'cancelled', cancelling: false });
  });
});
