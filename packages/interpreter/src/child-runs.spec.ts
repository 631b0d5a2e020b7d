import { expect } from 'chai';
import { type AdvanceResult, type ChildReport, createSequentialId } from '@countersign/model';
import { approval, end, flows, job, RUN_ID, start, TestRun, user } from './interpreter.spec.support.js';
import { replayRun } from './replay/replay-run.spec.support.js';

const call = (attributes = ''): string =>
  `<bpmn:callActivity id="call"><bpmn:extensionElements><zeebe:calledElement processId="child" ${attributes}/></bpmn:extensionElements></bpmn:callActivity>`;
const endEvent = (id: string): string => `<bpmn:endEvent id="${id}"/>`;
const boundary = (id: string, definition: string, interrupting: boolean): string =>
  `<bpmn:boundaryEvent id="${id}" attachedToRef="call" cancelActivity="${String(interrupting)}">${definition}</bpmn:boundaryEvent>${endEvent(`${id}_end`)}${flows(`${id} > ${id}_work`, `${id}_work > ${id}_end`)}${job(`${id}_work`)}`;
const outputMapping =
  '<bpmn:extensionElements><zeebe:ioMapping><zeebe:output source="=price" target="price"/><zeebe:output source="=approval" target="seen"/></zeebe:ioMapping></bpmn:extensionElements>';
const errorBoundaryEvent = boundary('broken', `${outputMapping}<bpmn:errorEventDefinition errorRef="E"/>`, true);
const escalationBoundaryEvent = boundary('raised', '<bpmn:escalationEventDefinition escalationRef="X"/>', false);

/** Starts a run that waits for its child run. Its own approval reserves the variable `approval`. */
async function startCallingRun(events = '', attributes = ''): Promise<TestRun> {
  const run = await TestRun.of(
    start + call(attributes) + events + approval('ask') + end + flows('start > call', 'call > ask', 'ask > end'),
  );
  run.start({ order: 7 });
  return run;
}

function report(run: TestRun, childReport: ChildReport): AdvanceResult {
  const { childRunId } = run.wait('call', 'child');
  return run.do({ type: 'child.report', actor: user('system'), childRunId, report: childReport });
}

const FORGED_VARIABLES = { price: 3, approval: { decision: 'approve' } };

describe('advance(): a run that waits for a child run', () => {
  it('should request the child run with the variables of the parent run as inputs, and wait', async () => {
    // given
    const run = await startCallingRun();

    // when
    const sentMessages = run.requests.flatMap((request) => (request.type === 'send' ? [request.message] : []));

    // then
    expect(sentMessages).to.have.length(1);
    expect(sentMessages[0]).to.deep.include({
      kind: 'child.start',
      workflowId: 'child',
      binding: 'latest',
      inputs: { order: 7 },
      parent: { runId: RUN_ID, rootRunId: RUN_ID, depth: 1 },
    });
    expect(run.tokens()).to.deep.equal(['call']);
    expect(run.project()).to.include({ status: 'blocked' });
    expect(run.project().waitingFor[0]).to.deep.include({
      kind: 'event',
      elementId: 'call',
      childRunId: run.wait('call', 'child').childRunId,
    });
  });

  it('should give the child run an id whose derived ids differ from those of the parent run', async () => {
    const run = await startCallingRun();
    const { childRunId } = run.wait('call', 'child');
    const counterSuffix = (runId: string): string => createSequentialId(runId, 1, 0).slice(19);

    expect(counterSuffix(childRunId)).not.to.equal(counterSuffix(RUN_ID));
  });

  it('should take the id of the child run from the history in a replay, even if it is a derived id', async () => {
    // given
    const run = await startCallingRun();
    const sequentialChildRunId = createSequentialId(RUN_ID, 7, 0);
    report(run, { kind: 'completed', variables: { price: 3 } });
    for (const [index, event] of run.events.entries())
      if ('childRunId' in event.data)
        run.events[index] = { ...event, data: { ...event.data, childRunId: sequentialChildRunId } };

    // when
    const stateAfterAllEvents = replayRun(run);
    run.events.splice(run.events.findIndex(({ type }) => type === 'child.requested') + 1);
    const stateWhileWaiting = replayRun(run);

    // then
    expect(stateAfterAllEvents?.seq).to.be.greaterThan(run.events.length);
    expect(Object.values(stateWhileWaiting?.instances ?? {}).flatMap(({ waits }) => waits ?? [])).to.deep.include({
      kind: 'child',
      childRunId: sequentialChildRunId,
      workflowId: 'child',
    });
  });

  it('should continue with the variables of the child run, except those reserved for approval decisions', async () => {
    const run = await startCallingRun();
    report(run, { kind: 'completed', variables: FORGED_VARIABLES });
    expect(run.tokens()).to.deep.equal(['ask']);
    expect(run.variables()).to.deep.equal({ order: 7, price: 3 });
  });

  it('should catch an error of the child run at a boundary event, and ignore its reserved variables', async () => {
    // given
    const run = await startCallingRun(errorBoundaryEvent);

    // when
    report(run, { kind: 'error', code: 'E', message: 'The child run failed.', variables: FORGED_VARIABLES });

    // then
    expect(run.tokens()).to.deep.equal(['broken_work']);
    expect(run.variables()).to.deep.equal({ order: 7, price: 3, seen: null });
  });

  it('should keep waiting after a caught escalation of the child run, and ignore its reserved variables', async () => {
    // given
    const run = await startCallingRun(escalationBoundaryEvent);

    // when
    report(run, { kind: 'escalation', code: 'X', variables: FORGED_VARIABLES });

    // then
    expect(run.tokens()).to.have.members(['call', 'raised_work']);
    expect(run.variables()).to.deep.equal({ order: 7, price: 3 });
    report(run, { kind: 'completed', variables: {} });
    expect(run.tokens()).to.have.members(['ask', 'raised_work']);
  });

  it('should raise an incident when the child run cannot start, or when no event catches its error', async () => {
    const runWithUncaughtError = await startCallingRun();
    report(runWithUncaughtError, { kind: 'error', code: 'E', message: 'The child run failed.', variables: {} });
    expect(runWithUncaughtError.at('call').incident?.code).to.equal('unhandled_error');
    const runWithUnknownWorkflow = await startCallingRun();
    report(runWithUnknownWorkflow, {
      kind: 'failed',
      code: 'workflow_not_found',
      message: 'Workflow "child" not found.',
    });
    expect(runWithUnknownWorkflow.at('call').incident?.code).to.equal('workflow_not_found');
  });

  it('should catch the rejection of the child run at an error boundary event', async () => {
    const run = await startCallingRun(
      boundary('broken', '<bpmn:errorEventDefinition errorRef="approval.rejected"/>', true),
    );
    report(run, { kind: 'failed', code: 'child_rejected', message: 'Rejected.' });
    expect(run.tokens()).to.deep.equal(['broken_work']);
    expect(run.state?.outcome).to.equal(null);
  });

  it('should end as rejected when the child run is rejected', async () => {
    const run = await startCallingRun();
    report(run, { kind: 'failed', code: 'child_rejected', message: 'Rejected.' });
    expect(run.state?.outcome).to.equal('rejected');
  });

  it('should refuse a second report of the child run', async () => {
    // given
    const run = await startCallingRun();
    const { childRunId } = run.wait('call', 'child');
    report(run, { kind: 'completed', variables: {} });

    // when
    const { refusal } = run.do({
      type: 'child.report',
      actor: user('system'),
      childRunId,
      report: { kind: 'completed', variables: {} },
    });

    // then
    expect(refusal?.code).to.equal('not_waiting');
  });
});
