import { expect } from 'chai';
import { approval, end, flows, job, RUN_ID, start, TestRun, user } from './interpreter.spec.support.js';

const PARENT = {
  runId: '019aa000-0000-7000-8000-000000000002',
  rootRunId: '019aa000-0000-7000-8000-000000000002',
  depth: 1,
};

/** Builds the compensation boundary event of the job `a`, and its handler. */
function compensationHandler(task: string): string {
  const handler = task.replace(/<bpmn:(\w+) /, '<bpmn:$1 isForCompensation="true" ');
  return `<bpmn:boundaryEvent id="undone" attachedToRef="a"><bpmn:compensateEventDefinition/></bpmn:boundaryEvent>${handler}<bpmn:association id="by" sourceRef="undone" targetRef="undo" associationDirection="One"/>`;
}

/** Starts a child run and cancels it after the job `a`, so that the compensation of `a` is active. */
async function startCancelling(handler: string): Promise<TestRun> {
  const run = await TestRun.of(
    start + job('a') + compensationHandler(handler) + job('b') + end + flows('start > a', 'a > b', 'b > end'),
  );
  run.do({
    type: 'start',
    actor: user('starter'),
    runId: RUN_ID,
    workflowVersion: 1,
    workflowDigest: 'sha256:1',
    businessKey: null,
    inputs: {},
    parent: PARENT,
  });
  run.complete('a');
  run.do({ type: 'cancel', actor: user('op'), reason: null });
  expect(run.project()).to.include({ status: 'active', cancelling: true });
  return run;
}

describe('advance(): cancelling a run', () => {
  it('should record which step was compensated, and by which handler', async () => {
    const run = await startCancelling(job('undo'));
    run.complete('undo');
    const compensatedEvent = run.events.find(({ type }) => type === 'step.compensated');
    const findStepId = (elementId: string) => run.events.find((event) => event.elementId === elementId)?.stepId;
    expect(compensatedEvent).to.deep.include({
      elementId: 'a',
      stepId: findStepId('a'),
      data: { handler: 'undo', handlerStepId: findStepId('undo') },
    });
    expect(run.project()).to.include({ cancelling: false });
    expect(run.state?.outcome).to.equal('cancelled');
  });

  it('should wait for the compensation to finish when a handler throws an error', async () => {
    // given
    const run = await startCancelling(job('undo'));

    // when
    run.do({
      type: 'job.error',
      actor: user('worker'),
      jobId: run.wait('undo', 'job').jobId,
      errorCode: 'closed',
      message: 'The order is closed.',
      variables: {},
    });

    // then
    expect(run.project()).to.deep.include({ status: 'failed', cancelling: true, incidents: 1 });
    run.do({ type: 'recover', actor: user('op'), steps: null, variables: null, comment: null });
    run.complete('undo');
    expect(run.state?.outcome).to.equal('cancelled');
  });

  it('should wait for the compensation to finish when an approval in a handler is rejected', async () => {
    // given
    const run = await startCancelling(approval('undo'));

    // when
    run.vote('undo', 'reject');

    // then
    expect(run.project()).to.deep.include({ status: 'failed', cancelling: true, incidents: 1 });
    expect(run.at('undo').incident?.code).to.equal('compensation_rejected');
    run.do({ type: 'recover', actor: user('op'), steps: null, variables: null, comment: null });
    run.vote('undo', 'approve', user('another'));
    expect(run.state?.outcome).to.equal('cancelled');
  });
});
