import type { Client, RunDetail, RunState } from '@countersign/contract';
import { approvalModel, createTestHost, processModel, serviceTask, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import pg from 'pg';
import { expectProblem, waitForApproval } from './http.spec.support.js';

const SPLIT_MODEL = processModel(
  'split',
  '<bpmn:startEvent id="start" /><bpmn:parallelGateway id="fork" />' +
    `${serviceTask('one', 'one', 1)}${serviceTask('two', 'two', 1)}` +
    '<bpmn:parallelGateway id="join" /><bpmn:endEvent id="end" />',
  'start > fork',
  'fork > one',
  'fork > two',
  'one > join',
  'two > join',
  'join > end',
);

const CHILD_MODEL = processModel(
  'called',
  `<bpmn:startEvent id="start" />${serviceTask('inner', 'one', 1)}<bpmn:endEvent id="end" />`,
  'start > inner',
  'inner > end',
);
const PARENT_MODEL = processModel(
  'calling',
  '<bpmn:startEvent id="start" /><bpmn:callActivity id="call"><bpmn:extensionElements><zeebe:calledElement processId="called" propagateAllChildVariables="false" />' +
    '<zeebe:ioMapping><zeebe:output source="=n * 2" target="doubled" /></zeebe:ioMapping></bpmn:extensionElements></bpmn:callActivity>' +
    '<bpmn:serviceTask id="after"><bpmn:extensionElements><zeebe:taskDefinition type="two" retries="=doubled" /></bpmn:extensionElements></bpmn:serviceTask><bpmn:endEvent id="end" />',
  'start > call',
  'call > after',
  'after > end',
);

const ENTRIES_MODEL = processModel(
  'entries',
  '<bpmn:startEvent id="start" /><bpmn:scriptTask id="list"><bpmn:extensionElements>' +
    '<zeebe:script expression="=[get entries(value), string(value), assert(isReady, isReady)]" resultVariable="listed" />' +
    '</bpmn:extensionElements></bpmn:scriptTask><bpmn:endEvent id="end" />',
  'start > list',
  'list > end',
);

describe('API: the state of a run at an event', function () {
  this.timeout(60_000);
  let countersign: TestHost;
  let viewer: Client;
  let operator: Client;
  let approver: Client;

  before(async () => {
    countersign = await createTestHost({ jobTypes: ['work', 'one', 'two'] });
    viewer = await countersign.client('viewer', 'vera');
    operator = await countersign.client('operator', 'otto');
    approver = await countersign.client('approver', 'ada');
    for (const model of [SPLIT_MODEL, CHILD_MODEL, PARENT_MODEL, ENTRIES_MODEL]) await countersign.deploy(model);
  });

  after(() => countersign.close());

  const start = async (workflowId: string, inputs = {}): Promise<string> =>
    (await viewer.startRun({ body: { workflowId, inputs } })).runId;

  /** Erases the private part of an event like an attacker with database access. */
  async function erase(runId: string, seq: number): Promise<void> {
    const database = new pg.Client({ connectionString: countersign.database.connectionString });
    await database.connect();
    await database.query('UPDATE run_events SET private = NULL, salt = NULL WHERE run_id = $1 AND seq = $2', [
      runId,
      seq,
    ]);
    await database.end();
  }

  /** Follows a run until the first event of a type. */
  async function waitForEvent(runId: string, type: string, after = 0): Promise<number> {
    for await (const event of viewer.streamRunEvents({ runId, after })) if (event.type === type) return event.seq;
    throw new Error(`Run ${runId} ended without ${type}.`);
  }

  /** Returns the fields that a run and its state at an event have in common. */
  const pickCommonFields = ({
    runId,
    workflowId,
    workflowVersion,
    workflowDigest,
    status,
    outcome,
    cancelling,
    currentStep,
    incidents,
    error,
    waitingFor,
    variables,
    steps,
  }: RunDetail | RunState): object => ({
    runId,
    workflowId,
    workflowVersion,
    workflowDigest,
    status,
    outcome,
    cancelling,
    currentStep,
    incidents,
    error,
    waitingFor,
    variables,
    steps,
  });
  const describeTokens = (state: RunState): string[] =>
    state.tokens.map(({ elementId, kind, flowId }) => `${elementId} ${kind}${flowId === null ? '' : ` by ${flowId}`}`);
  const countFlows = ({ takenFlows }: RunState): Record<string, number> =>
    Object.fromEntries((takenFlows ?? []).map(({ flowId, count }) => [flowId, count]));

  /** Checks that the state at the last event of each recorded run equals the run as it was returned then. */
  async function expectStatesToEqualRuns(recordedRuns: readonly RunDetail[]): Promise<void> {
    for (const detail of recordedRuns) {
      const state = await viewer.getRunState({ runId: detail.runId, at: await getLastSeq(detail) });
      expect(state.gap).to.equal(null);
      expect(pickCommonFields(state)).to.deep.equal(pickCommonFields(detail));
    }
  }

  const lastSeqs = new Map<RunDetail, number>();
  const getLastSeq = async (detail: RunDetail): Promise<number> => Promise.resolve(lastSeqs.get(detail) ?? 0);
  /** Returns the run and records the number of its last event. */
  async function getRecordedRun(runId: string): Promise<RunDetail> {
    const detail = await viewer.getRun({ runId });
    lastSeqs.set(detail, (await viewer.getRunState({ runId })).lastSeq);
    return detail;
  }

  it('should be replayed without a gap when an expression depends on the order of object keys', async () => {
    // given: an object whose keys the database may reorder
    const value = { currency: 'EUR', id: 7, amount: 5, lines: [{ sku: 'b', no: 1 }], b: 1, aa: 2 };
    const runId = await start('entries', { value, isReady: false });
    await waitForEvent(runId, 'step.failed');

    // when
    await operator.recoverRun({ runId, body: { variables: { value, isReady: true, a: 1 } } });

    // then
    const { variables } = await viewer.getRun({ runId });
    expect(variables['listed']).to.have.nested.property('[0].length', 6);
    for await (const { seq } of viewer.streamRunEvents({ runId, after: 0 }))
      expect(await viewer.getRunState({ runId, at: seq })).to.include({ gap: null });
  });

  it('should equal the run as it was shown after each command, through rework, approval and completion', async () => {
    // given
    await countersign.deploy(
      approvalModel(
        'sent-back',
        '',
        '<bpmn:extensionElements><zeebe:properties><zeebe:property name="approval.reworkStep" value="work" /></zeebe:properties></bpmn:extensionElements>',
      ),
    );
    const runId = await start('sent-back', { amount: 3 });
    const recordedRuns: RunDetail[] = [];
    await countersign.jobs.complete('work', { built: 1 });
    const { approvalId } = await waitForApproval(viewer, runId);
    recordedRuns.push(await getRecordedRun(runId));
    await approver.decideApproval({ approvalId, body: { decision: 'request_changes', comment: 'once more' } });
    const reworkJob = await countersign.jobs.take('work');
    recordedRuns.push(await getRecordedRun(runId));
    reworkJob.fail(new Error('It broke.'));
    await waitForEvent(runId, 'step.attempt_failed');
    recordedRuns.push(await getRecordedRun(runId));
    await countersign.jobs.complete('work', { built: 2 });
    const secondApproval = await waitForApproval(viewer, runId, await waitForEvent(runId, 'rework.started'));
    recordedRuns.push(await getRecordedRun(runId));
    await approver.decideApproval({ approvalId: secondApproval.approvalId, body: { decision: 'approve' } });
    recordedRuns.push(await getRecordedRun(runId));

    // then
    expect(recordedRuns.map(({ status }) => status)).to.deep.equal([
      'blocked',
      'active',
      'active',
      'blocked',
      'completed',
    ]);
    expect(recordedRuns.map(({ variables }) => variables['built'])).to.deep.equal([1, 1, 1, 2, 2]);
    await expectStatesToEqualRuns(recordedRuns);
    const firstState = await viewer.getRunState({ runId, at: 1 });
    expect(firstState).to.deep.include({
      at: 1,
      status: 'active',
      outcome: null,
      variables: { amount: 3 },
      steps: [],
      tokens: [],
      gap: null,
    });
    expect(firstState.event).to.include({ seq: 1, type: 'run.started', actor: 'vera' });
  });

  it('should contain the tokens, also at a join, and the taken sequence flows', async () => {
    // given
    const runId = await start('split', { n: 1 });
    await countersign.jobs.complete('one', { first: 'a' });
    const secondJob = await countersign.jobs.take('two');
    const seq = await waitForEvent(runId, 'step.completed', await waitForEvent(runId, 'step.started'));
    const stateAtJoin = await viewer.getRunState({ runId });

    // when
    secondJob.complete({ second: 'b' });
    await waitForEvent(runId, 'run.completed');

    // then
    const state = await viewer.getRunState({ runId, at: stateAtJoin.at });
    expect(seq).to.be.at.most(stateAtJoin.at);
    expect(describeTokens(state)).to.have.members(['two active', 'join waiting by flow-4']);
    expect(countFlows(state)).to.deep.equal({ 'flow-1': 1, 'flow-2': 1, 'flow-3': 1, 'flow-4': 1 });
    expect(state.variables).to.deep.equal({ n: 1, first: 'a' });
    const finalState = await viewer.getRunState({ runId, at: 1_000_000 });
    expect(finalState).to.deep.include({
      at: finalState.lastSeq,
      status: 'completed',
      outcome: 'completed',
      tokens: [],
      variables: { n: 1, first: 'a', second: 'b' },
    });
    expect(countFlows(finalState)).to.deep.equal({
      'flow-1': 1,
      'flow-2': 1,
      'flow-3': 1,
      'flow-4': 1,
      'flow-5': 1,
      'flow-6': 1,
    });
  });

  it('should include the outputs of a child run and the variables set in a recovery', async () => {
    // given
    const runId = await start('calling', { n: 0 });
    const requestedSeq = await waitForEvent(runId, 'child.requested');
    await countersign.jobs.complete('one', { n: -1 });
    const failedSeq = await waitForEvent(runId, 'step.failed');
    const failedRun = await getRecordedRun(runId);
    await operator.recoverRun({ runId, body: { variables: { doubled: 1 } } });
    const work = await countersign.jobs.take('two');
    const recoveredRun = await getRecordedRun(runId);
    work.complete();
    await waitForEvent(runId, 'run.completed');
    const finalState = await getRecordedRun(runId);

    // then
    expect(failedRun).to.deep.include({ status: 'failed', incidents: 1, variables: { n: 0, doubled: -2 } });
    await expectStatesToEqualRuns([failedRun, recoveredRun, finalState]);
    expect(await viewer.getRunState({ runId, at: requestedSeq })).to.deep.include({ variables: { n: 0 }, gap: null });
    expect(describeTokens(await viewer.getRunState({ runId, at: requestedSeq }))).to.deep.equal(['call active']);
    expect(describeTokens(await viewer.getRunState({ runId, at: failedSeq }))).to.deep.equal(['after failed']);
    const retriedSeq = await waitForEvent(runId, 'step.retried');
    expect(await viewer.getRunState({ runId, at: retriedSeq })).to.deep.include({
      status: 'active',
      variables: { n: 0, doubled: 1 },
      gap: null,
    });
  });

  it('should report a gap and return no variables when required data was erased', async () => {
    // given
    const runId = await start('split', { secret: 'of a person' });
    await countersign.jobs.complete('one');
    await countersign.jobs.complete('two');
    await waitForEvent(runId, 'run.completed');
    await erase(runId, 1);

    // when
    const earlyState = await viewer.getRunState({ runId, at: 4 });

    // then
    expect(earlyState.gap).to.include({ seq: 1, code: 'erased' });
    expect(earlyState).to.deep.include({
      at: 4,
      variables: null,
      waitingFor: null,
      takenFlows: null,
      workflowVersion: 1,
    });
    expect(earlyState.steps.map(({ elementId, status }) => `${elementId} ${status}`)).to.include('start completed');
  });

  it('should refuse unknown runs and invalid event numbers', async () => {
    const runId = await start('split');
    await countersign.jobs.complete('one');
    await countersign.jobs.complete('two');
    expect(
      (await expectProblem(viewer.getRunState({ runId: '01938f5a-7c1e-7b62-9d53-0c9a4f1b2e77', at: 1 }))).code,
    ).to.equal('run_not_found');
    for (const at of [0, -1, 1.5])
      expect((await expectProblem(viewer.getRunState({ runId, at }))).status).to.be.within(400, 422);
  });

  it('should be returned completely, with its content length, when it is larger than 1 MiB', async () => {
    // given
    const loop =
      '<bpmn:multiInstanceLoopCharacteristics><bpmn:extensionElements><zeebe:loopCharacteristics inputCollection="=items" inputElement="item" /></bpmn:extensionElements></bpmn:multiInstanceLoopCharacteristics>';
    const task = `<bpmn:serviceTask id="each"><bpmn:extensionElements><zeebe:taskDefinition type="nobody-does-this" /></bpmn:extensionElements>${loop}</bpmn:serviceTask>`;
    await countersign.deploy(
      processModel(
        'large',
        `<bpmn:startEvent id="start" />${task}<bpmn:endEvent id="end" />`,
        'start > each',
        'each > end',
      ),
    );
    const runId = await start('large', { items: Array.from({ length: 2_000 }, (_, index) => `Nr. ${index}: “ä”`) });

    // when
    const response = await fetch(`${countersign.url}/api/runs/${runId}/state`, {
      // A compressed response of this size has no content length.
      headers: { 'authorization': `Bearer ${await countersign.token('viewer')}`, 'accept-encoding': 'identity' },
    });
    const body = Buffer.from(await response.arrayBuffer());

    // then
    expect(body.byteLength)
      .to.be.greaterThan(1_048_576)
      .and.to.equal(Number(response.headers.get('content-length')));
    expect(describeTokens(JSON.parse(body.toString()) as RunState)).to.have.length(2_000);
  });
});
