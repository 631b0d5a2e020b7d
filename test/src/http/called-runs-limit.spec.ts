import type { Client, Run } from '@countersign/contract';
import { EnginePort } from '@countersign/core';
import { createTestHost, processModel, serviceTask, type TestHost, waitUntil } from '@countersign/testing';
import { expect } from 'chai';

const START = '<bpmn:startEvent id="start" />';
const END = '<bpmn:endEvent id="end" />';
const ITEMS = 5;
const MAX_CALLED_RUNS = 3;
/** Maximum number of commands in a transaction. Concurrent transactions do not see each other's runs. */
const BATCH_SIZE = 64;

const callActivityXml = (id: string, workflowId: string, extraXml = ''): string =>
  `<bpmn:callActivity id="${id}"><bpmn:extensionElements><zeebe:calledElement processId="${workflowId}" /></bpmn:extensionElements>${extraXml}</bpmn:callActivity>`;

/** Process that calls a child run for each item, in parallel. */
const LOOP_MODEL = processModel(
  'each',
  `${START}${callActivityXml('call', 'item', `<bpmn:multiInstanceLoopCharacteristics><bpmn:extensionElements><zeebe:loopCharacteristics inputCollection="=items" /></bpmn:extensionElements></bpmn:multiInstanceLoopCharacteristics>`)}${END}`,
  'start > call',
  'call > end',
);
const ITEM_MODEL = processModel('item', `${START}${serviceTask('work', 'work')}${END}`, 'start > work', 'work > end');
/** Process that calls itself twice. */
const TWINS_MODEL = processModel(
  'twins',
  `${START}${callActivityXml('one', 'twins')}${callActivityXml('other', 'twins')}`,
  'start > one',
  'start > other',
);

describe('API: limit of concurrent child runs', () => {
  let countersign: TestHost;
  let viewer: Client;
  let operator: Client;

  beforeEach(async () => {
    countersign = await createTestHost({
      jobTypes: ['work'],
      configuration: { Limits: { CalledRuns: MAX_CALLED_RUNS } },
    });
    [viewer, operator] = await Promise.all([
      countersign.client('viewer', 'vera'),
      countersign.client('operator', 'otto'),
    ]);
    for (const model of [ITEM_MODEL, LOOP_MODEL, TWINS_MODEL]) await countersign.deploy(model);
  });

  afterEach(() => countersign.close());

  const listRuns = async (workflowId: string): Promise<readonly Run[]> =>
    (await viewer.listRuns({ workflowId, limit: 200 })).items;
  const startLoopRun = async (): Promise<string> =>
    (
      await viewer.startRun({
        body: { workflowId: 'each', inputs: { items: Array.from({ length: ITEMS }, (_, index) => index) } },
      })
    ).runId;
  const waitForIncidents = (runId: string, count: number) =>
    waitUntil(`${count} incidents`, async () => {
      const run = await viewer.getRun({ runId });
      return run.incidents === count && run;
    });

  it('should raise an incident for each call above the limit, and start more child runs in a recovery once others have ended', async () => {
    // given
    const unrelatedRunId = await startLoopRun();
    const runId = await startLoopRun();

    // when
    const { error } = await waitForIncidents(runId, ITEMS - MAX_CALLED_RUNS);
    await waitForIncidents(unrelatedRunId, ITEMS - MAX_CALLED_RUNS);

    // then
    expect(error).to.deep.include({ code: 'called_runs_exceeded', elementId: 'call' });
    expect(error?.message)
      .to.contain(String(MAX_CALLED_RUNS))
      .and.to.contain(runId)
      .and.to.contain('Limits:CalledRuns');
    // The incident may be visible before the last of the other runs has started.
    await waitUntil('the other runs have started', async () => (await listRuns('item')).length >= 2 * MAX_CALLED_RUNS);
    expect(await listRuns('item')).to.have.length(2 * MAX_CALLED_RUNS);
    // No run has ended, so recovery fails in the same way.
    await operator.recoverRun({ runId });
    await waitUntil(
      'the call is requested again',
      async () =>
        (await viewer.listRunEvents({ runId })).items.filter(({ type }) => type === 'child.requested').length ===
        2 * ITEMS - MAX_CALLED_RUNS,
    );
    await waitForIncidents(runId, ITEMS - MAX_CALLED_RUNS);

    // when
    for (const { runId: itemRunId } of (await listRuns('item')).filter(({ parentRunId }) => parentRunId === runId))
      await operator.cancelRun({ runId: itemRunId, body: { reason: 'to make room' } });
    await waitUntil(
      'all child runs are cancelled',
      async () =>
        (await listRuns('item')).filter(({ parentRunId, outcome }) => parentRunId === runId && outcome === 'cancelled')
          .length === MAX_CALLED_RUNS,
    );
    await waitForIncidents(runId, ITEMS);
    await operator.recoverRun({ runId });

    // then
    await waitForIncidents(runId, ITEMS - MAX_CALLED_RUNS);
    const listActiveRuns = async () =>
      (await listRuns('item')).filter(({ parentRunId, outcome }) => parentRunId === runId && outcome === null);
    await waitUntil('the other runs have started', async () => (await listActiveRuns()).length >= MAX_CALLED_RUNS);
    expect(await listActiveRuns()).to.have.length(MAX_CALLED_RUNS);
  });

  it('should start the remaining child runs in a recovery after the limit was raised', async () => {
    // given
    const runId = await startLoopRun();
    await waitForIncidents(runId, ITEMS - MAX_CALLED_RUNS);
    await countersign.host.get(EnginePort).stop(0);

    // when
    const serverWithHigherLimit = await createTestHost({
      jobTypes: ['work'],
      shareDataWith: countersign,
      configuration: { Limits: { CalledRuns: ITEMS } },
    });
    try {
      await (await serverWithHigherLimit.client('operator', 'otto')).recoverRun({ runId });

      // then
      await waitUntil('all runs have started', async () => (await listRuns('item')).length === ITEMS);
      expect((await viewer.getRun({ runId })).incidents).to.equal(0);
    } finally {
      serverWithHigherLimit.jobs.failAll();
      await serverWithHigherLimit.close();
    }
  });

  it('should bound a workflow that calls itself twice and cancel all its runs together', async () => {
    // given
    const { runId } = await viewer.startRun({ body: { workflowId: 'twins' } });

    // when
    const listActiveRuns = async (): Promise<readonly Run[]> =>
      (await listRuns('twins')).filter(({ outcome }) => outcome === null);
    const activeRuns = await waitUntil('every call has started a child run or raised an incident', async () => {
      const runs = await listActiveRuns();
      const details = await Promise.all(runs.map((run) => viewer.getRun({ runId: run.runId })));
      const callSteps = details.flatMap(({ steps }) => steps.filter(({ type }) => type === 'callActivity'));
      const incidentCount = details.reduce((sum, run) => sum + run.incidents, 0);
      return (
        incidentCount > 0 &&
        callSteps.length === 2 * runs.length &&
        incidentCount + runs.length - 1 === callSteps.length &&
        runs
      );
    });

    // then
    expect(activeRuns.length - 1).to.be.within(MAX_CALLED_RUNS, MAX_CALLED_RUNS + BATCH_SIZE);
    await operator.cancelRun({ runId, body: { reason: 'endless calls' } });
    await waitUntil('all runs are cancelled', async () => (await listActiveRuns()).length === 0);
  });
});
