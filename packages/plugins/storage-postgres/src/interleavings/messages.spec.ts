import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { MessageChannel, MessageToPublish, StoragePort } from '@countersign/core/ports';
import { createTestStorage, type TestStorage } from '../storage.spec.support.js';
import { channelLock, startKeyLock } from '../messages/message-locks.js';
import {
  gatedStorage,
  look,
  messageTo,
  NOW,
  runOf,
  subscriptionTo,
  writeOf,
  type TestRun,
} from '../messages/messages.spec.support.js';
import { everySchedule, type Work } from '../messages/schedules.spec.support.js';

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

  const fresh = (): void => {
    channel = { messageName: 'paid', correlationKey: randomUUID() };
  };
  const publish =
    (message: MessageToPublish, ...then: readonly ((gated: StoragePort) => Promise<unknown>)[]): Work =>
    async (pool) => {
      const gated = gatedStorage(pool);
      await gated.publishMessage(message, 0);
      for (const each of then) await each(gated);
    };
  const looking = (gated: StoragePort): Promise<void> => look(gated, channel);
  const subscribe =
    (run: TestRun, ...then: readonly ((gated: StoragePort) => Promise<unknown>)[]): Work =>
    async (pool) => {
      const gated = gatedStorage(pool);
      expect(await gated.commit([writeOf(run, 0, { subscriptionsOpened: [subscriptionTo(channel)] })])).to.eql([
        'committed',
      ]);
      for (const each of then) await each(gated);
    };
  const schedules = (
    begin: () => Promise<readonly Work[]>,
    end: (schedule: string) => Promise<void>,
    splitting = false,
  ): Promise<number> => everySchedule(() => test.connect(), 2, begin, end, splitting);

  /** Claims and correlates all unsettled channels, as every server does periodically. */
  async function sweep(): Promise<void> {
    for (const claimed of await storage.claimChannels({ limit: 100, leaseMs: 60_000 })) await look(storage, claimed);
  }

  /** Returns the runs that received a message, or `undefined` if it expired without a receiver. */
  async function receivers({ messageId }: MessageToPublish): Promise<string[] | undefined> {
    const receipt = await storage.messageReceipt(messageId, NOW, { forget: false });
    return receipt === undefined ? undefined : [...receipt.runIds, ...receipt.startedRunIds];
  }

  /** Returns the revision of a run, which is 2 after it received its message. */
  async function revisionOf({ runId }: TestRun): Promise<number | undefined> {
    return (await storage.loadRuns([runId])).get(runId)?.revision;
  }

  it('should deliver a buffered message to a run that starts to wait, whichever server correlates it', async () => {
    for (const [publisher, subscriber] of [
      [[looking], []],
      [[], [looking]],
      [[], []],
    ] as const) {
      let run = runOf();
      let message = messageTo({ messageName: '', correlationKey: '' }, 0);
      const count = await schedules(
        async () => {
          fresh();
          [run, message] = [runOf(), messageTo(channel, HOUR)];
          return [publish(message, ...publisher), subscribe(run, ...subscriber)];
        },
        async () => {
          await sweep();
          expect(await receivers(message)).to.eql([run.runId]);
          expect(await revisionOf(run)).to.equal(2);
        },
      );
      expect(count).to.be.at.least(publisher.length + subscriber.length === 0 ? 6 : 10);
    }
  });

  it('should deliver an unbuffered message to a run that waited before, and to no run after its correlation', async () => {
    let run = runOf();
    let message = messageTo({ messageName: '', correlationKey: '' }, 0);
    await schedules(
      async () => {
        fresh();
        [run, message] = [runOf(), messageTo(channel, 0)];
        return [publish(message, looking), subscribe(run)];
      },
      async (schedule) => {
        await sweep();
        const received = await receivers(message);
        expect(await revisionOf(run)).to.equal(received?.length === 1 ? 2 : 1);
        if (schedule.startsWith('BBB')) expect(received).to.eql([run.runId]);
        if (schedule.endsWith('BBB')) expect(received).to.eql([]);
      },
    );
  });

  it('should either deliver a message or let it expire', async () => {
    let run = runOf();
    let message = messageTo({ messageName: '', correlationKey: '' }, 0);
    const outcomes = new Set<string>();
    await schedules(
      async () => {
        fresh();
        [run, message] = [runOf(), messageTo(channel, 1_000)];
        await storage.publishMessage(message, 0);
        await look(storage, channel);
        await storage.commit([writeOf(run, 0, { subscriptionsOpened: [subscriptionTo(channel)] })]);
        return [
          (pool) => look(gatedStorage(pool), channel, NOW + 999),
          (pool) => gatedStorage(pool).expireMessages(NOW + 1_000, 0, 10_000),
        ];
      },
      async () => {
        expect(await receivers(message)).to.equal(undefined);
        outcomes.add((await revisionOf(run)) === 2 ? 'received' : 'expired');
        // The channel still works for a run that waits later.
        const [later, next] = [runOf(), messageTo(channel, HOUR)];
        await storage.publishMessage(next, 0);
        await storage.commit([writeOf(later, 0, { subscriptionsOpened: [subscriptionTo(channel)] })]);
        await sweep();
        expect((await receivers(next))?.length).to.equal(1);
      },
    );
    expect([...outcomes].sort()).to.eql(['expired', 'received']);
  });

  it('should not lose a message that is published while the previous message expires', async () => {
    let message = messageTo({ messageName: '', correlationKey: '' }, 0);
    await schedules(
      async () => {
        fresh();
        const before = messageTo(channel, 0);
        await storage.publishMessage(before, 0);
        await look(storage, channel);
        message = messageTo(channel, HOUR);
        return [
          publish(message, looking),
          (pool) => gatedStorage(pool).messageReceipt(before.messageId, NOW, { forget: true }),
        ];
      },
      async () => {
        const run = runOf();
        await storage.commit([writeOf(run, 0, { subscriptionsOpened: [subscriptionTo(channel)] })]);
        await sweep();
        expect(await receivers(message)).to.eql([run.runId]);
      },
    );
  });

  it('should deliver the first of two messages to the only waiting run, and keep the other', async () => {
    let run = runOf();
    let messages: MessageToPublish[] = [];
    const begin = async (): Promise<void> => {
      fresh();
      run = runOf();
      messages = [messageTo(channel, HOUR), messageTo(channel, HOUR)];
      await storage.commit([writeOf(run, 0, { subscriptionsOpened: [subscriptionTo(channel)] })]);
    };
    const check = async (first: number): Promise<void> => {
      await sweep();
      expect(await receivers(messages[first]!)).to.eql([run.runId]);
      expect(await receivers(messages[1 - first]!)).to.eql([]);
      const later = runOf();
      await storage.commit([writeOf(later, 0, { subscriptionsOpened: [subscriptionTo(channel)] })]);
      await sweep();
      expect(await receivers(messages[1 - first]!)).to.eql([later.runId]);
    };

    // The first publisher gets the lock first.
    const published = await schedules(
      async () => {
        await begin();
        return [publish(messages[0]!, looking), publish(messages[1]!)];
      },
      (schedule) => check(schedule.startsWith('A') ? 0 : 1),
    );
    const looked = await schedules(
      async () => {
        await begin();
        for (const message of messages) await storage.publishMessage(message, 0);
        return [looking, looking].map(
          (each): Work =>
            (pool) =>
              each(gatedStorage(pool)),
        );
      },
      () => check(0),
    );
    expect([published, looked].map((count) => count >= 15)).to.eql([true, true]);
  });

  it('should deliver a message to the waiting run, or to the next run if the first run stops waiting', async () => {
    let [run, next] = [runOf(), runOf()];
    let message = messageTo({ messageName: '', correlationKey: '' }, 0);
    const outcomes = new Set<string>();
    await schedules(
      async () => {
        fresh();
        [run, next, message] = [runOf(), runOf(), messageTo(channel, 0)];
        const [mine, other] = [subscriptionTo(channel), { ...subscriptionTo(channel), since: NOW + 1 }];
        await storage.commit([
          writeOf(run, 0, { subscriptionsOpened: [mine] }),
          writeOf(next, 0, { subscriptionsOpened: [other] }),
        ]);
        return [
          publish(message, looking),
          (pool) => gatedStorage(pool).commit([writeOf(run, 1, { subscriptionsClosed: [mine.subscriptionId] })]),
        ];
      },
      async () => {
        const received = await receivers(message);
        expect(received?.length).to.equal(1);
        const toNext = received?.[0] === next.runId;
        outcomes.add(toNext ? 'next' : 'run');
        expect([await revisionOf(run), await revisionOf(next)]).to.eql([2, toNext ? 2 : 1]);
      },
    );
    expect([...outcomes].sort()).to.eql(['next', 'run']);
  });

  it('should start the next run of a correlation key only after the previous run has ended', async () => {
    let message = messageTo({ messageName: '', correlationKey: '' }, 0);
    let workflowId = '';
    await schedules(
      async () => {
        // If the two locks were equal by chance, fewer orders would be possible.
        do {
          channel = { messageName: `open ${randomUUID()}`, correlationKey: randomUUID() };
          workflowId = `w-${randomUUID()}`;
        } while (channelLock(channel) === startKeyLock(workflowId, channel.correlationKey));
        message = messageTo(channel, HOUR);
        await deployStart(workflowId, channel.messageName);
        const active = runOf(workflowId);
        const startKey = { correlationKey: channel.correlationKey, begins: true, ends: false };
        await storage.commit([writeOf(active, 0, { startKey })]);
        return [
          publish(message, looking),
          (pool) =>
            gatedStorage(pool).commit([writeOf(active, 1, { startKey: { ...startKey, begins: false, ends: true } })]),
        ];
      },
      async () => {
        await sweep();
        expect((await receivers(message))?.length).to.equal(1);
        const late = messageTo(channel, HOUR);
        await storage.publishMessage(late, 0);
        await sweep();
        expect(await receivers(late)).to.eql([]);
      },
    );
  });

  it('should start only one of two runs with the same correlation key', async () => {
    let results: unknown[] = [];
    const count = await schedules(
      async () => {
        fresh();
        results = [];
        const messages = [messageTo(channel, HOUR), messageTo(channel, HOUR)];
        for (const message of messages) await storage.publishMessage(message, 0);
        return messages.map(({ messageId }) => async (pool) => {
          const startKey = { correlationKey: channel.correlationKey, begins: true, ends: false };
          results.push(
            ...(await gatedStorage(pool).commit([
              writeOf(runOf(), 0, { startKey, cause: { messageId, from: 'channel' } }),
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

  it('should never deadlock, for any order of messages in the commands', async () => {
    let messages: MessageToPublish[] = [];
    await schedules(
      async () => {
        let channels: MessageChannel[] = [];
        while (new Set(channels.map(channelLock)).size < 3)
          channels = Array.from({ length: 3 }, () => ({ messageName: 'paid', correlationKey: randomUUID() }));
        messages = channels.map((each) => messageTo(each, HOUR));
        for (const message of messages) await storage.publishMessage(message, 0);
        const open =
          (keys: readonly MessageChannel[]): Work =>
          (pool) =>
            gatedStorage(pool).commit(
              keys.map((key) => writeOf(runOf(), 0, { subscriptionsOpened: [subscriptionTo(key)] })),
            );
        return [open(channels), open(channels.toReversed())];
      },
      async () => {
        await sweep();
        for (const message of messages) expect((await receivers(message))?.length).to.equal(1);
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
