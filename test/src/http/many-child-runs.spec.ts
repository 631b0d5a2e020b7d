import type { Client } from '@countersign/contract';
import { createTestHost, processModel, serviceTask, type TestHost, waitUntil } from '@countersign/testing';
import { expect } from 'chai';

const ITEM_COUNT = 150;
const CALLED_ELEMENT = '<zeebe:calledElement processId="item" />';
const LOOP = '<zeebe:loopCharacteristics inputCollection="=items" />';

/** Process with a call activity that starts a child run for each item in parallel. */
const CALLER_MODEL = processModel(
  'caller',
  `<bpmn:startEvent id="start" /><bpmn:callActivity id="call"><bpmn:extensionElements>${CALLED_ELEMENT}</bpmn:extensionElements><bpmn:multiInstanceLoopCharacteristics><bpmn:extensionElements>${LOOP}</bpmn:extensionElements></bpmn:multiInstanceLoopCharacteristics></bpmn:callActivity><bpmn:endEvent id="end" />`,
  'start > call',
  'call > end',
);
const ITEM_MODEL = processModel(
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
    for (const model of [ITEM_MODEL, CALLER_MODEL]) await countersign.deploy(model);
  });

  afterEach(() => countersign.close());

  it('should start each child run with a unique id, even in the same millisecond', async () => {
    // when
    const items = Array.from({ length: ITEM_COUNT }, (_, index) => index);
    const { runId } = await viewer.startRun({ body: { workflowId: 'caller', inputs: { items } } });
    const childRuns = await waitUntil('all child runs have started', async () => {
      const { items: runs } = await viewer.listRuns({ workflowId: 'item', limit: 200 });
      const { incidents } = await viewer.getRun({ runId });
      return runs.length + incidents >= ITEM_COUNT && runs;
    });

    // then
    expect(childRuns).to.have.length(ITEM_COUNT);
    const serviceTaskSteps = await Promise.all(
      childRuns.map(async (run) =>
        (await viewer.getRun({ runId: run.runId })).steps.filter(({ type }) => type === 'serviceTask'),
      ),
    );
    expect(serviceTaskSteps.map((steps) => steps.length)).to.eql(items.map(() => 1));
    // Every run has a different base for its sequential ids.
    expect(new Set([runId, ...childRuns.map((run) => run.runId)].map((id) => id.slice(19))).size).to.equal(
      1 + ITEM_COUNT,
    );
  });
});
