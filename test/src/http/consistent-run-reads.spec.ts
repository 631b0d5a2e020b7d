import type { Client, RunDetail } from '@countersign/contract';
import { StoragePort } from '@countersign/core';
import { createTestHost, processModel, serviceTask, type TestHost, waitUntil } from '@countersign/testing';
import { expect } from 'chai';

const WORK_MODEL = processModel(
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
    await countersign.deploy(WORK_MODEL);
  });

  after(() => countersign.close());

  /** Executes an action once, after the next request has read the run and before it reads the run events. */
  function interceptBeforeEventRead(action: () => Promise<void>): void {
    const read = storage.listRunEvents.bind(storage);
    storage.listRunEvents = async (...request) => {
      storage.listRunEvents = read;
      await action();
      return read(...request);
    };
  }

  /** Executes an action after the next response has read the run, whose events it knows from other readers. */
  function interceptAfterRunRead(action: () => Promise<void>): void {
    const read = storage.findRun.bind(storage);
    storage.findRun = async (...request) => {
      storage.findRun = read;
      const found = await read(...request);
      await action();
      return found;
    };
  }

  async function completeRun(runId: string): Promise<void> {
    await countersign.jobs.complete('work');
    await waitUntil(
      'the run ends',
      async () => JSON.parse((await storage.findRun(runId))?.state ?? '{}').outcome === 'completed',
    );
  }

  const summarizeRun = ({ outcome, steps }: RunDetail): unknown => [
    outcome,
    steps.map(({ elementId, status }) => `${elementId} ${status}`),
  ];
  const SUMMARY_WHILE_WORKING = [null, ['start completed', 'work active']];
  const SUMMARY_WHEN_COMPLETED = ['completed', ['start completed', 'work completed', 'end completed']];

  it('should return no steps newer than the outcome when the run ends during the read', async () => {
    // given
    const { runId } = await viewer.startRun({ body: { workflowId: 'working' } });
    interceptBeforeEventRead(() => completeRun(runId));

    // when
    const runDuringRead = await viewer.getRun({ runId });
    const after = await viewer.getRun({ runId });

    // then
    expect(summarizeRun(runDuringRead)).to.deep.equal(SUMMARY_WHILE_WORKING);
    expect(summarizeRun(after)).to.deep.equal(SUMMARY_WHEN_COMPLETED);
  });

  it('should read the run again when a concurrent request has read newer events', async () => {
    // given
    const { runId } = await viewer.startRun({ body: { workflowId: 'working' } });
    await viewer.getRun({ runId });
    let concurrentlyReadRun: RunDetail | undefined;
    interceptAfterRunRead(async () => {
      await completeRun(runId);
      concurrentlyReadRun = await viewer.getRun({ runId });
    });

    // when
    const run = await viewer.getRun({ runId });

    // then
    expect([concurrentlyReadRun, run].map((each) => each && summarizeRun(each))).to.deep.equal([
      SUMMARY_WHEN_COMPLETED,
      SUMMARY_WHEN_COMPLETED,
    ]);
  });
});
