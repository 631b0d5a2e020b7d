import { EnginePort, type StoragePort } from '@countersign/core';
import { processModel, waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { itOnEmbedded } from '../engines/embedded-only.spec.support.js';
import { catchEvent, MessageHost, messageModel, messageStartEvent } from '../messages/messages.spec.support.js';

const MINUTE = 60_000;
const HOUR = 3_600_000;
const CONTEXT = { actor: { type: 'service', id: 'shop', name: null }, from: null, traceId: null } as const;
const END = '<bpmn:endEvent id="end" />';

const timerStartModel = (id: string, kind: 'timeDate' | 'timeCycle', timerValue: string, comment = ''): string => {
  const start = `<bpmn:startEvent id="start"><bpmn:timerEventDefinition><bpmn:${kind} xsi:type="bpmn:tFormalExpression">${timerValue}</bpmn:${kind}></bpmn:timerEventDefinition></bpmn:startEvent>`;
  return processModel(id, `${start}${END}`, 'start > end').replace(
    '</bpmn:definitions>',
    `<!--${comment}--></bpmn:definitions>`,
  );
};

describe('runs that start late', () => {
  let host: MessageHost;

  before(async () => {
    host = await MessageHost.create();
    await host.server.deploy(processModel('plain', `<bpmn:startEvent id="start" />${END}`, 'start > end'));
  });

  after(() => host.server.close());

  const waitForRuns = (workflowId: string, count: number) =>
    waitUntil(`${count} runs of ${workflowId}`, async () =>
      (await host.listRuns(workflowId)).length >= count ? host.listRuns(workflowId) : undefined,
    );
  const waitUntilNoTimerDue = () =>
    waitUntil('no start timer is due', async () => (await host.storage.nextStartTimerAt()) === null);
  const toIsoTime = (time: number): string => new Date(time).toISOString();

  /** Returns the ids of the newest run and of the runs of a workflow that started in the last minute. */
  async function listLatestRun(workflowId: string) {
    const { items } = await host.storage.listRuns({}, { limit: 1 });
    const recent = await host.storage.listRuns({ workflowId, startedAfter: host.clock.time - MINUTE }, { limit: 10 });
    return { newest: items[0]?.runId, recent: recent.items.map(({ runId }) => runId) };
  }

  it('should be listed first and found by their start time if a timer is hours late', async () => {
    // given
    await host.startRun('plain');

    // when
    await host.server.deploy(timerStartModel('overdue', 'timeDate', toIsoTime(host.clock.time - 5 * HOUR)));

    // then
    const [run] = await waitForRuns('overdue', 1);
    expect(await listLatestRun('overdue')).to.deep.equal({ newest: run?.runId, recent: [run?.runId] });
  });

  it('should be started for each missed time of a counted cycle and found by their start time', async () => {
    // given
    await host.server.deploy(timerStartModel('hourly', 'timeCycle', 'R3/PT1H'));

    // when
    host.clock.setTo(host.clock.time + 9 * HOUR);

    // then
    const runs = await waitForRuns('hourly', 3);
    await waitUntilNoTimerDue();
    expect(runs).to.have.length(3);
    expect((await listLatestRun('hourly')).recent).to.have.members(runs.map(({ runId }) => runId));
  });

  it('should be listed first and found by their start time if a message was buffered for hours', async () => {
    // given
    await host.server.deploy(
      messageModel(
        'visit',
        `${messageStartEvent('start', 'open')}${catchEvent('wait', 'close')}${END}`,
        'start > wait',
        'wait > end',
      ),
    );
    const key = randomUUID();
    const send = () => host.send('open', key, { payload: { key }, bufferForMs: 24 * HOUR });
    const [first] = (await send()).startedRunIds;
    await send();
    host.clock.setTo(host.clock.time + 5 * HOUR);
    await host.startRun('plain');

    // when
    await host.cancel(first ?? '');

    // then
    await waitForRuns('visit', 2);
    const second = (await host.listRuns('visit')).find(({ runId }) => runId !== first)?.runId;
    expect(await listLatestRun('visit')).to.deep.equal({ newest: second, recent: [second] });
  });

  it('should be listed first and found by their start time if a signal was undeliverable for hours', async () => {
    // given
    const start = '<bpmn:startEvent id="start"><bpmn:signalEventDefinition signalRef="alarm" /></bpmn:startEvent>';
    await host.server.deploy(
      processModel('alarmed', `${start}${END}`, 'start > end').replace(
        '<bpmn:process',
        '<bpmn:signal id="alarm" name="alarm" /><bpmn:process',
      ),
    );
    const refused = refuseCommits(host.storage, (write) => write.run.workflowId === 'alarmed');
    await host.server.host.get(EnginePort).broadcastSignal({ context: CONTEXT, signalName: 'alarm', payload: {} });
    await waitUntil('the first attempt to start the run', async () => refused.count > 0);
    host.clock.setTo(host.clock.time + 5 * HOUR);
    await host.startRun('plain');

    // when
    refused.stop();

    // then
    const runs = await waitForRuns('alarmed', 1);
    expect(runs).to.have.length(1);
    expect(await listLatestRun('alarmed')).to.deep.equal({ newest: runs[0]?.runId, recent: [runs[0]?.runId] });
  });

  it('should be found by their start time if a child run could not be started for hours', async () => {
    // given
    const call =
      '<bpmn:callActivity id="call"><bpmn:extensionElements><zeebe:calledElement processId="called" /></bpmn:extensionElements></bpmn:callActivity>';
    await host.server.deploy(processModel('called', `<bpmn:startEvent id="start" />${END}`, 'start > end'));
    await host.server.deploy(
      processModel('calling', `<bpmn:startEvent id="start" />${call}${END}`, 'start > call', 'call > end'),
    );
    const refused = refuseCommits(host.storage, (write) => write.run.workflowId === 'called');
    await host.startRun('calling');
    await waitUntil('the first attempt to start the run', async () => refused.count > 0);
    host.clock.setTo(host.clock.time + 5 * HOUR);

    // when
    refused.stop();

    // then
    const [run] = await waitForRuns('called', 1);
    expect((await listLatestRun('called')).recent).to.deep.equal([run?.runId]);
  });

  it('should be started once per due time, even if the workflow is deployed again with the same date', async () => {
    // given
    const time = host.clock.time - HOUR;
    await host.server.deploy(timerStartModel('once', 'timeDate', toIsoTime(time)));
    await waitForRuns('once', 1);

    // when
    await host.server.deploy(timerStartModel('once', 'timeDate', toIsoTime(time), 'the same'));
    await waitUntilNoTimerDue();

    // then
    expect(await host.listRuns('once')).to.have.length(1);
    await host.server.deploy(timerStartModel('once', 'timeDate', toIsoTime(time - HOUR)));
    expect(await waitForRuns('once', 2)).to.have.length(2);
    await host.server.deploy(timerStartModel('once', 'timeDate', toIsoTime(time), 'the first again'));
    await waitUntilNoTimerDue();
    expect(await host.listRuns('once')).to.have.length(2);
  });

  itOnEmbedded(
    'should be started once per due time, even if two servers start them concurrently',
    'only one server of a cluster starts runs by timers',
    async () => {
      // given
      const secondHost = await host.createSecondServer();
      const ids = ['a', 'b', 'c'].map((name) => `raced-${name}`);
      for (const id of ids) await host.server.deploy(timerStartModel(id, 'timeCycle', 'R2/PT1H'));
      const getArrivedCount = synchronizeCommits([host.storage, secondHost.storage]);

      // when
      host.clock.setTo(host.clock.time + 5 * HOUR);

      // then
      for (const id of ids) await waitForRuns(id, 2);
      await waitUntilNoTimerDue();
      await secondHost.server.close();
      for (const id of ids) expect(await host.listRuns(id), id).to.have.length(2);
      expect(getArrivedCount()).to.equal(2);
    },
  );
});

/** Makes the storage of a server refuse some commits, as a failing database would, until `stop` is called. */
function refuseCommits(
  storage: StoragePort,
  isRefused: (write: Parameters<StoragePort['commit']>[0][number]) => boolean,
): { count: number; stop(): void } {
  const commit = storage.commit.bind(storage);
  const refused = { count: 0, stop: () => void (storage.commit = commit) };
  storage.commit = async (writes) => {
    if (!writes.some(isRefused)) return commit(writes);
    refused.count += 1;
    throw Object.assign(new Error('The database refuses the write.'), { code: '53100' });
  };
  return refused;
}

/**
 * Delays the first timer start of each server until all servers are about to store one. @returns a function that
 * returns the number of servers that have reached this point
 */
function synchronizeCommits(storages: readonly StoragePort[]): () => number {
  let arrivedCount = 0;
  let releaseAll: () => void = () => undefined;
  const allArrived = new Promise<void>((resolve) => {
    releaseAll = resolve;
  });
  for (const storage of storages) {
    const commit = storage.commit.bind(storage);
    storage.commit = async (writes) => {
      if (!writes.some(({ cause }) => cause?.from === 'startTimer')) return commit(writes);
      storage.commit = commit;
      arrivedCount += 1;
      if (arrivedCount === storages.length) releaseAll();
      await allArrived;
      return commit(writes);
    };
  }
  return () => arrivedCount;
}
