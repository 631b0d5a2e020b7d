import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { MessageChannel, MessageToPublish, StoragePort } from '@countersign/core/ports';
import { createTestStorage, type TestStorage } from '../storage.spec.support.js';
import { getChannelLock, getStartKeyLock } from '../messages/message-locks.js';
import {
  createGatedStorage,
  correlateChannel,
  buildMessage,
  NOW,
  createTestRun,
  buildSubscription,
  buildRunWrite,
  type TestRun,
} from '../messages/messages.spec.support.js';
import { runEverySchedule, type ServerTask } from '../messages/schedules.spec.support.js';

const HOUR = 3_600_000;

describe('messages in every order of the statements of two servers', function () {
  this.timeout(120_000);

  let test: TestStorage;
  let storage: StoragePort;
  let channel: MessageChannel;

  before(async () => {
    test = await createTestStorage();
    ({ storage } = test);
  });

  after(() => test.dispose());

  const resetChannel = (): void => {
    channel = { messageName: 'paid', correlationKey: randomUUID() };
  };
  const publish =
    (message: MessageToPublish, ...nextSteps: readonly ((gated: StoragePort) => Promise<unknown>)[]): ServerTask =>
    async (pool) => {
      const gated = createGatedStorage(pool);
      await gated.publishMessage(message, 0);
      for (const each of nextSteps) await each(gated);
    };
  const correlate = (gated: StoragePort): Promise<void> => correlateChannel(gated, channel);
  const subscribe =
    (run: TestRun, ...nextSteps: readonly ((gated: StoragePort) => Promise<unknown>)[]): ServerTask =>
    async (pool) => {
      const gated = createGatedStorage(pool);
      expect(await gated.commit([buildRunWrite(run, 0, { subscriptionsOpened: [buildSubscription(channel)] })])).to.eql(
        ['committed'],
      );
      for (const each of nextSteps) await each(gated);
    };
  const runSchedules = (
    setUp: () => Promise<readonly ServerTask[]>,
    checkOutcome: (schedule: string) => Promise<void>,
    splitsStatements = false,
  ): Promise<number> => runEverySchedule(() => test.connect(), 2, setUp, checkOutcome, splitsStatements);

  /** Claims and correlates all unsettled channels, as every server does periodically. */
  async function correlateAll(): Promise<void> {
    for (const claimed of await storage.claimChannels({ limit: 100, leaseMs: 60_000 }))
      await correlateChannel(storage, claimed);
  }

  /** Returns the runs that received a message, or `undefined` if it expired without a receiver. */
  async function findReceivers({ messageId }: MessageToPublish): Promise<string[] | undefined> {
    const receipt = await storage.findMessageReceipt(messageId, NOW, { forget: false });
    return receipt === undefined ? undefined : [...receipt.runIds, ...receipt.startedRunIds];
  }

  /** Returns the revision of a run, which is 2 after it received its message. */
  async function loadRevision({ runId }: TestRun): Promise<number | undefined> {
    return (await storage.loadRuns([runId])).get(runId)?.revision;
  }

  it('should deliver a buffered message to a run that starts to wait, whichever server correlates it', async () => {
    for (const [publisher, subscriber] of [
      [[correlate], []],
      [[], [correlate]],
      [[], []],
    ] as const) {
      let run = createTestRun();
      let message = buildMessage({ messageName: '', correlationKey: '' }, 0);
      const count = await runSchedules(
        async () => {
          resetChannel();
          [run, message] = [createTestRun(), buildMessage(channel, HOUR)];
          return [publish(message, ...publisher), subscribe(run, ...subscriber)];
        },
        async () => {
          await correlateAll();
          expect(await findReceivers(message)).to.eql([run.runId]);
          expect(await loadRevision(run)).to.equal(2);
        },
      );
      expect(count).to.be.at.least(publisher.length + subscriber.length === 0 ? 6 : 10);
    }
  });

  it('should deliver an unbuffered message to a run that waited before, and to no run after its correlation', async () => {
    let run = createTestRun();
    let message = buildMessage({ messageName: '', correlationKey: '' }, 0);
    await runSchedules(
      async () => {
        resetChannel();
        [run, message] = [createTestRun(), buildMessage(channel, 0)];
        return [publish(message, correlate), subscribe(run)];
      },
      async (schedule) => {
        await correlateAll();
        const received = await findReceivers(message);
        expect(await loadRevision(run)).to.equal(received?.length === 1 ? 2 : 1);
        if (schedule.startsWith('BBB')) expect(received).to.eql([run.runId]);
        if (schedule.endsWith('BBB')) expect(received).to.eql([]);
      },
    );
  });

  it('should either deliver a message or let it expire', async () => {
    let run = createTestRun();
    let message = buildMessage({ messageName: '', correlationKey: '' }, 0);
    const outcomes = new Set<string>();
    await runSchedules(
      async () => {
        resetChannel();
        [run, message] = [createTestRun(), buildMessage(channel, 1_000)];
        await storage.publishMessage(message, 0);
        await correlateChannel(storage, channel);
        await storage.commit([buildRunWrite(run, 0, { subscriptionsOpened: [buildSubscription(channel)] })]);
        return [
          (pool) => correlateChannel(createGatedStorage(pool), channel, NOW + 999),
          (pool) => createGatedStorage(pool).expireMessages(NOW + 1_000, 0, 10_000),
        ];
      },
      async () => {
        expect(await findReceivers(message)).to.equal(undefined);
        outcomes.add((await loadRevision(run)) === 2 ? 'received' : 'expired');
        // The channel still works for a run that waits later.
        const [laterRun, nextMessage] = [createTestRun(), buildMessage(channel, HOUR)];
        await storage.publishMessage(nextMessage, 0);
        await storage.commit([buildRunWrite(laterRun, 0, { subscriptionsOpened: [buildSubscription(channel)] })]);
        await correlateAll();
        expect((await findReceivers(nextMessage))?.length).to.equal(1);
      },
    );
    expect([...outcomes].sort()).to.eql(['expired', 'received']);
  });

  it('should not lose a message that is published while the previous message expires', async () => {
    let message = buildMessage({ messageName: '', correlationKey: '' }, 0);
    await runSchedules(
      async () => {
        resetChannel();
        const previousMessage = buildMessage(channel, 0);
        await storage.publishMessage(previousMessage, 0);
        await correlateChannel(storage, channel);
        message = buildMessage(channel, HOUR);
        return [
          publish(message, correlate),
          (pool) => createGatedStorage(pool).findMessageReceipt(previousMessage.messageId, NOW, { forget: true }),
        ];
      },
      async () => {
        const run = createTestRun();
        await storage.commit([buildRunWrite(run, 0, { subscriptionsOpened: [buildSubscription(channel)] })]);
        await correlateAll();
        expect(await findReceivers(message)).to.eql([run.runId]);
      },
    );
  });

  it('should deliver the first of two messages to the only waiting run, and keep the other', async () => {
    let run = createTestRun();
    let messages: MessageToPublish[] = [];
    const prepareMessages = async (): Promise<void> => {
      resetChannel();
      run = createTestRun();
      messages = [buildMessage(channel, HOUR), buildMessage(channel, HOUR)];
      await storage.commit([buildRunWrite(run, 0, { subscriptionsOpened: [buildSubscription(channel)] })]);
    };
    const check = async (first: number): Promise<void> => {
      await correlateAll();
      expect(await findReceivers(messages[first]!)).to.eql([run.runId]);
      expect(await findReceivers(messages[1 - first]!)).to.eql([]);
      const laterRun = createTestRun();
      await storage.commit([buildRunWrite(laterRun, 0, { subscriptionsOpened: [buildSubscription(channel)] })]);
      await correlateAll();
      expect(await findReceivers(messages[1 - first]!)).to.eql([laterRun.runId]);
    };

    // The first publisher gets the lock first.
    const publishScheduleCount = await runSchedules(
      async () => {
        await prepareMessages();
        return [publish(messages[0]!, correlate), publish(messages[1]!)];
      },
      (schedule) => check(schedule.startsWith('A') ? 0 : 1),
    );
    const correlateScheduleCount = await runSchedules(
      async () => {
        await prepareMessages();
        for (const message of messages) await storage.publishMessage(message, 0);
        return [correlate, correlate].map(
          (each): ServerTask =>
            (pool) =>
              each(createGatedStorage(pool)),
        );
      },
      () => check(0),
    );
    expect([publishScheduleCount, correlateScheduleCount].map((count) => count >= 15)).to.eql([true, true]);
  });

  it('should deliver a message to the waiting run, or to the next run if the first run stops waiting', async () => {
    let [run, next] = [createTestRun(), createTestRun()];
    let message = buildMessage({ messageName: '', correlationKey: '' }, 0);
    const outcomes = new Set<string>();
    await runSchedules(
      async () => {
        resetChannel();
        [run, next, message] = [createTestRun(), createTestRun(), buildMessage(channel, 0)];
        const [own, other] = [buildSubscription(channel), { ...buildSubscription(channel), since: NOW + 1 }];
        await storage.commit([
          buildRunWrite(run, 0, { subscriptionsOpened: [own] }),
          buildRunWrite(next, 0, { subscriptionsOpened: [other] }),
        ]);
        return [
          publish(message, correlate),
          (pool) =>
            createGatedStorage(pool).commit([buildRunWrite(run, 1, { subscriptionsClosed: [own.subscriptionId] })]),
        ];
      },
      async () => {
        const received = await findReceivers(message);
        expect(received?.length).to.equal(1);
        const reachedNext = received?.[0] === next.runId;
        outcomes.add(reachedNext ? 'next' : 'run');
        expect([await loadRevision(run), await loadRevision(next)]).to.eql([2, reachedNext ? 2 : 1]);
      },
    );
    expect([...outcomes].sort()).to.eql(['next', 'run']);
  });

  it('should start the next run of a correlation key only after the previous run has ended', async () => {
    let message = buildMessage({ messageName: '', correlationKey: '' }, 0);
    let workflowId = '';
    await runSchedules(
      async () => {
        // If the two locks were equal by chance, fewer orders would be possible.
        do {
          channel = { messageName: `open ${randomUUID()}`, correlationKey: randomUUID() };
          workflowId = `w-${randomUUID()}`;
        } while (getChannelLock(channel) === getStartKeyLock(workflowId, channel.correlationKey));
        message = buildMessage(channel, HOUR);
        await deployStart(workflowId, channel.messageName);
        const activeRun = createTestRun(workflowId);
        const startKey = { correlationKey: channel.correlationKey, begins: true, ends: false };
        await storage.commit([buildRunWrite(activeRun, 0, { startKey })]);
        return [
          publish(message, correlate),
          (pool) =>
            createGatedStorage(pool).commit([
              buildRunWrite(activeRun, 1, { startKey: { ...startKey, begins: false, ends: true } }),
            ]),
        ];
      },
      async () => {
        await correlateAll();
        expect((await findReceivers(message))?.length).to.equal(1);
        const laterMessage = buildMessage(channel, HOUR);
        await storage.publishMessage(laterMessage, 0);
        await correlateAll();
        expect(await findReceivers(laterMessage)).to.eql([]);
      },
    );
  });

  it('should start only one of two runs with the same correlation key', async () => {
    let results: unknown[] = [];
    const count = await runSchedules(
      async () => {
        resetChannel();
        results = [];
        const messages = [buildMessage(channel, HOUR), buildMessage(channel, HOUR)];
        for (const message of messages) await storage.publishMessage(message, 0);
        return messages.map(({ messageId }) => async (pool) => {
          const startKey = { correlationKey: channel.correlationKey, begins: true, ends: false };
          results.push(
            ...(await createGatedStorage(pool).commit([
              buildRunWrite(createTestRun(), 0, { startKey, cause: { messageId, from: 'channel' } }),
            ])),
          );
        });
      },
      async () => {
        expect(results.toSorted()).to.eql(['committed', 'fenced']);
      },
    );
    expect(count).to.equal(6);
  });

  it('should never deadlock when two servers open the same subscriptions in opposite order', async () => {
    let messages: MessageToPublish[] = [];
    await runSchedules(
      async () => {
        let channels: MessageChannel[] = [];
        while (new Set(channels.map(getChannelLock)).size < 3)
          channels = Array.from({ length: 3 }, () => ({ messageName: 'paid', correlationKey: randomUUID() }));
        messages = channels.map((each) => buildMessage(each, HOUR));
        for (const message of messages) await storage.publishMessage(message, 0);
        const createSubscribeTask =
          (keys: readonly MessageChannel[]): ServerTask =>
          (pool) =>
            createGatedStorage(pool).commit(
              keys.map((key) => buildRunWrite(createTestRun(), 0, { subscriptionsOpened: [buildSubscription(key)] })),
            );
        return [createSubscribeTask(channels), createSubscribeTask(channels.toReversed())];
      },
      async () => {
        await correlateAll();
        for (const message of messages) expect((await findReceivers(message))?.length).to.equal(1);
      },
      true,
    );
  });

  async function deployStart(workflowId: string, name: string): Promise<void> {
    const version = {
      workflowId,
      digest: `sha256:${workflowId}`,
      name: null,
      description: null,
      inputSchema: null,
      elements: [],
      bpmnXml: '',
      deployedAt: NOW,
      deployedBy: 'ada',
    };
    const audit = {
      at: NOW,
      actor: { type: 'system', id: 'test', name: null },
      action: 'workflow.deploy',
      target: {},
      result: 'ok',
      from: null,
      data: {},
    } as const;
    const subscriptions = [{ kind: 'message', name, elementId: 'start', trigger: 0 }] as const;
    await storage.saveWorkflowVersions([{ version, starts: { subscriptions, conditions: [], timers: [] }, audit }]);
  }
});
