import type { Client, RunDetail } from '@countersign/contract';
import { StoragePort } from '@countersign/core';
import { createTestHost, processModel, serviceTask, type TestHost, until } from '@countersign/testing';
import { expect } from 'chai';

const WORK = processModel(
  'working',
  `<bpmn:startEvent id="start" />${serviceTask('work', 'work')}<bpmn:endEvent id="end" />`,
  'start > work',
  'work > end',
);

describe('API: consistent view of a run at one event', () => {
  let countersign: TestHost;
  let viewer: Client;
  let storage: StoragePort;

  before(async () => {
    countersign = await createTestHost({ jobTypes: ['work'] });
    viewer = await countersign.client('viewer', 'vera');
    storage = countersign.host.get(StoragePort);
    await countersign.deploy(WORK);
  });

  after(() => countersign.close());

  /** Executes an action between the two reads of the next response: of the run, and of its events. */
  function beforeTheEventsAreRead(act: () => Promise<void>): void {
    const read = storage.listRunEvents.bind(storage);
    storage.listRunEvents = async (...request) => {
      storage.listRunEvents = read;
      await act();
      return read(...request);
    };
  }

  /** Executes an action after the next response has read the run, whose events it knows from other readers. */
  function afterTheRunIsRead(act: () => Promise<void>): void {
    const read = storage.findRun.bind(storage);
    storage.findRun = async (...request) => {
      storage.findRun = read;
      const found = await read(...request);
      await act();
      return found;
    };
  }

  async function ended(runId: string): Promise<void> {
    await countersign.jobs.complete('work');
    await until(
      'the run ends',
      async () => JSON.parse((await storage.findRun(runId))?.state ?? '{}').outcome === 'completed',
    );
  }

  const told = ({ outcome, steps }: RunDetail): unknown => [
    outcome,
    steps.map(({ elementId, status }) => `${elementId} ${status}`),
  ];
  const AT_WORK = [null, ['start completed', 'work active']];
  const OVER = ['completed', ['start completed', 'work completed', 'end completed']];

  it('should contain no steps newer than its outcome when the run ends during the read', async () => {
    // given
    const { runId } = await viewer.startRun({ body: { workflowId: 'working' } });
    beforeTheEventsAreRead(() => ended(runId));

    // when
    const meanwhile = await viewer.getRun({ runId });
    const after = await viewer.getRun({ runId });

    // then
    expect(told(meanwhile)).to.deep.equal(AT_WORK);
    expect(told(after)).to.deep.equal(OVER);
  });

  it('should be read again when a concurrent request has read newer events', async () => {
    // given
    const { runId } = await viewer.startRun({ body: { workflowId: 'working' } });
    await viewer.getRun({ runId });
    let other: RunDetail | undefined;
    afterTheRunIsRead(async () => {
      await ended(runId);
      other = await viewer.getRun({ runId });
    });

    // when
    const run = await viewer.getRun({ runId });

    // then
    expect([other, run].map((each) => each && told(each))).to.deep.equal([OVER, OVER]);
  });
});
