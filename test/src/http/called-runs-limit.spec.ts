import type { Client, Run } from '@countersign/contract';
import { EnginePort } from '@countersign/core';
import { createTestHost, processModel, serviceTask, type TestHost, until } from '@countersign/testing';
import { expect } from 'chai';

const START = '<bpmn:startEvent id="start" />';
const END = '<bpmn:endEvent id="end" />';
const ITEMS = 5;
const LIMIT = 3;
/** Maximum number of commands in a transaction. Concurrent transactions do not see each other's runs. */
const ONE_BATCH = 64;

const call = (id: string, workflowId: string, more = ''): string =>
  `<bpmn:callActivity id="${id}"><bpmn:extensionElements><zeebe:calledElement processId="${workflowId}" /></bpmn:extensionElements>${more}</bpmn:callActivity>`;

/** Calls a run for each of several items in parallel. */
const EACH = processModel(
  'each',
  `${START}${call('call', 'item', `<bpmn:multiInstanceLoopCharacteristics><bpmn:extensionElements><zeebe:loopCharacteristics inputCollection="=items" /></bpmn:extensionElements></bpmn:multiInstanceLoopCharacteristics>`)}${END}`,
  'start > call',
  'call > end',
);
const ITEM = processModel('item', `${START}${serviceTask('work', 'work')}${END}`, 'start > work', 'work > end');
/** Calls its own workflow twice. */
const TWINS = processModel(
  'twins',
  `${START}${call('one', 'twins')}${call('other', 'twins')}`,
  'start > one',
  'start > other',
);

describe('API: limit of concurrent child runs', () => {
  let countersign: TestHost;
  let viewer: Client;
  let operator: Client;

  beforeEach(async () => {
    countersign = await createTestHost({ jobTypes: ['work'], configuration: { Limits: { CalledRuns: LIMIT } } });
    [viewer, operator] = await Promise.all([
      countersign.client('viewer', 'vera'),
      countersign.client('operator', 'otto'),
    ]);
    for (const model of [ITEM, EACH, TWINS]) await countersign.deploy(model);
  });

  afterEach(() => countersign.close());

  const runsOf = async (workflowId: string): Promise<readonly Run[]> =>
    (await viewer.listRuns({ workflowId, limit: 200 })).items;
  const startEach = async (): Promise<string> =>
    (
      await viewer.startRun({
        body: { workflowId: 'each', inputs: { items: Array.from({ length: ITEMS }, (_, index) => index) } },
      })
    ).runId;
  const incidents = (runId: string, count: number) =>
    until(`${count} incidents`, async () => {
      const run = await viewer.getRun({ runId });
      return run.incidents === count && run;
    });

  it('should raise an incident for each call above the limit and start more child runs once others have ended', async () => {
    // given
    const unrelated = await startEach();
    const runId = await startEach();

    // when
    const { error } = await incidents(runId, ITEMS - LIMIT);
    await incidents(unrelated, ITEMS - LIMIT);

    // then
    expect(error).to.deep.include({ code: 'called_runs_exceeded', elementId: 'call' });
    expect(error?.message).to.contain(String(LIMIT)).and.to.contain(runId).and.to.contain('Limits:CalledRuns');
    // The incident may be visible before the last of the other runs has started.
    await until('the other runs have started', async () => (await runsOf('item')).length >= 2 * LIMIT);
    expect(await runsOf('item')).to.have.length(2 * LIMIT);
    // No run has ended, so recovery fails in the same way.
    await operator.recoverRun({ runId });
    await until(
      'the call is requested again',
      async () =>
        (await viewer.listRunEvents({ runId })).items.filter(({ type }) => type === 'child.requested').length ===
        2 * ITEMS - LIMIT,
    );
    await incidents(runId, ITEMS - LIMIT);

    // when
    for (const { runId: item } of (await runsOf('item')).filter(({ parentRunId }) => parentRunId === runId))
      await operator.cancelRun({ runId: item, body: { reason: 'to make room' } });
    await until(
      'all of them are cancelled',
      async () =>
        (await runsOf('item')).filter(({ parentRunId, outcome }) => parentRunId === runId && outcome === 'cancelled')
          .length === LIMIT,
    );
    await incidents(runId, ITEMS);
    await operator.recoverRun({ runId });

    // then
    await incidents(runId, ITEMS - LIMIT);
    const alive = async () =>
      (await runsOf('item')).filter(({ parentRunId, outcome }) => parentRunId === runId && outcome === null);
    await until('the other runs have started', async () => (await alive()).length >= LIMIT);
    expect(await alive()).to.have.length(LIMIT);
  });

  it('should start the remaining child runs in a recovery after the limit was raised', async () => {
    // given
    const runId = await startEach();
    await incidents(runId, ITEMS - LIMIT);
    await countersign.host.get(EnginePort).stop(0);

    // when
    const roomy = await createTestHost({
      jobTypes: ['work'],
      beside: countersign,
      configuration: { Limits: { CalledRuns: ITEMS } },
    });
    try {
      await (await roomy.client('operator', 'otto')).recoverRun({ runId });

      // then
      await until('all runs have started', async () => (await runsOf('item')).length === ITEMS);
      expect((await viewer.getRun({ runId })).incidents).to.equal(0);
    } finally {
      roomy.jobs.abandon();
      await roomy.close();
    }
  });

  it('should bound a workflow that calls itself twice and cancel all its runs together', async () => {
    // given
    const { runId } = await viewer.startRun({ body: { workflowId: 'twins' } });

    // when
    const alive = async (): Promise<readonly Run[]> =>
      (await runsOf('twins')).filter(({ outcome }) => outcome === null);
    const all = await until('every call is answered', async () => {
      const runs = await alive();
      const details = await Promise.all(runs.map((run) => viewer.getRun({ runId: run.runId })));
      const calls = details.flatMap(({ steps }) => steps.filter(({ type }) => type === 'callActivity'));
      const refused = details.reduce((sum, run) => sum + run.incidents, 0);
      return refused > 0 && calls.length === 2 * runs.length && refused + runs.length - 1 === calls.length && runs;
    });

    // then
    expect(all.length - 1).to.be.within(LIMIT, LIMIT + ONE_BATCH);
    await operator.cancelRun({ runId, body: { reason: 'without end' } });
    await until('all of them are cancelled', async () => (await alive()).length === 0);
  });
});
