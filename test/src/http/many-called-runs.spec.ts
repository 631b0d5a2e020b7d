import type { Client } from '@countersign/contract';
import { createTestHost, processModel, serviceTask, type TestHost, until } from '@countersign/testing';
import { expect } from 'chai';

const ITEMS = 150;
const CALL = '<zeebe:calledElement processId="item" />';
const EACH = '<zeebe:loopCharacteristics inputCollection="=items" />';

/** Calls a run for each of many items in parallel. */
const CALLER = processModel(
  'caller',
  `<bpmn:startEvent id="start" /><bpmn:callActivity id="call"><bpmn:extensionElements>${CALL}</bpmn:extensionElements><bpmn:multiInstanceLoopCharacteristics><bpmn:extensionElements>${EACH}</bpmn:extensionElements></bpmn:multiInstanceLoopCharacteristics></bpmn:callActivity><bpmn:endEvent id="end" />`,
  'start > call',
  'call > end',
);
const ITEM = processModel(
  'item',
  `<bpmn:startEvent id="start" />${serviceTask('work', 'work')}<bpmn:endEvent id="end" />`,
  'start > work',
  'work > end',
);

describe('API: many concurrent child runs', () => {
  let countersign: TestHost;
  let viewer: Client;

  beforeEach(async () => {
    countersign = await createTestHost({ jobTypes: ['work'] });
    viewer = await countersign.client('viewer', 'vera');
    for (const model of [ITEM, CALLER]) await countersign.deploy(model);
  });

  afterEach(() => countersign.close());

  it('should start each child run with a unique id, even in the same millisecond', async () => {
    // when
    const items = Array.from({ length: ITEMS }, (_, index) => index);
    const { runId } = await viewer.startRun({ body: { workflowId: 'caller', inputs: { items } } });
    const called = await until('all child runs have started', async () => {
      const { items: runs } = await viewer.listRuns({ workflowId: 'item', limit: 200 });
      const { incidents } = await viewer.getRun({ runId });
      return runs.length + incidents >= ITEMS && runs;
    });

    // then
    expect(called).to.have.length(ITEMS);
    const jobs = await Promise.all(
      called.map(async (run) =>
        (await viewer.getRun({ runId: run.runId })).steps.filter(({ type }) => type === 'serviceTask'),
      ),
    );
    expect(jobs.map((steps) => steps.length)).to.eql(items.map(() => 1));
    // Every run has a different base for its sequential ids.
    expect(new Set([runId, ...called.map((run) => run.runId)].map((id) => id.slice(19))).size).to.equal(1 + ITEMS);
  });
});
