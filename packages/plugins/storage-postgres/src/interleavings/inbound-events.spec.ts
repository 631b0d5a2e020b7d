import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { InboundEvent, InboundEventRecord, MessageChannel, StoragePort } from '@countersign/core/ports';
import { createTestStorage, type TestStorage } from '../storage.spec.support.js';
import {
  deliverEvent,
  buildEvent,
  createGatedStorage,
  correlateChannel,
  createTestRun,
  buildSubscription,
  buildRunWrite,
  type TestRun,
} from '../messages/messages.spec.support.js';
import { runEverySchedule, type ServerTask } from '../messages/schedules.spec.support.js';

const HOUR = 3_600_000;

describe('inbound events in every order of the statements of two servers', function () {
  this.timeout(120_000);

  let test: TestStorage;
  let storage: StoragePort;
  let channel: MessageChannel;
  let event: InboundEvent;
  let run: TestRun;

  before(async () => {
    test = await createTestStorage();
    ({ storage } = test);
  });

  after(() => test.dispose());

  const setUpEvent = (ttlMs: number): void => {
    channel = { messageName: 'ci.passed', correlationKey: randomUUID() };
    [event, run] = [buildEvent(channel, ttlMs), createTestRun()];
  };
  const createDeliveryTask =
    (each: InboundEvent = event): ServerTask =>
    (pool) =>
      deliverEvent(createGatedStorage(pool), each);
  const createSubscriptionTask =
    (each: TestRun = run): ServerTask =>
    (pool) =>
      createGatedStorage(pool).commit([buildRunWrite(each, 0, { subscriptionsOpened: [buildSubscription(channel)] })]);
  const startWaiting = async (each: TestRun): Promise<void> => {
    await storage.commit([buildRunWrite(each, 0, { subscriptionsOpened: [buildSubscription(channel)] })]);
  };
  const runSchedules = (
    prepare: () => Promise<readonly ServerTask[]>,
    checkOutcome: (schedule: string) => Promise<void>,
  ): Promise<number> => runEverySchedule(() => test.connect(), 2, prepare, checkOutcome);

  /** Claims and correlates all unsettled channels, as every server does periodically. */
  async function correlateAll(): Promise<void> {
    for (const claimed of await storage.claimChannels({ limit: 100, leaseMs: 60_000 }))
      await correlateChannel(storage, claimed);
  }

  async function loadRecord({ eventId }: InboundEvent): Promise<InboundEventRecord> {
    return (await storage.findInboundEvent(eventId)) ?? expect.fail('The event is not recorded.');
  }

  /** Returns the revision of a run, which is 2 after it received the event. */
  async function loadRevision({ runId }: TestRun): Promise<number | undefined> {
    return (await storage.loadRuns([runId])).get(runId)?.revision;
  }

  it('should deliver an event to a run that waited before, or record it as unmatched', async () => {
    const outcomes = new Set<string>();
    await runSchedules(
      async () => {
        setUpEvent(0);
        return [createDeliveryTask(), createSubscriptionTask()];
      },
      async (schedule) => {
        await correlateAll();
        const { status, resumedRunIds } = await loadRecord(event);
        const revision = await loadRevision(run);
        expect([status, revision, resumedRunIds]).to.be.deep.oneOf([
          ['matched', 2, [run.runId]],
          ['unmatched', 1, []],
        ]);
        if (schedule.startsWith('BBB')) expect(status).to.equal('matched');
        outcomes.add(status);
      },
    );
    expect([...outcomes].sort()).to.deep.equal(['matched', 'unmatched']);
  });

  it('should deliver a buffered event to a run that starts to wait, and record the run', async () => {
    const count = await runSchedules(
      async () => {
        setUpEvent(HOUR);
        return [createDeliveryTask(), createSubscriptionTask()];
      },
      async () => {
        await correlateAll();
        expect([
          await loadRevision(run),
          (await loadRecord(event)).resumedRunIds,
          (await loadRecord(event)).status,
        ]).to.deep.equal([2, [run.runId], 'matched']);
      },
    );
    expect(count).to.be.at.least(10);
  });

  it('should process an event only once if it is delivered to two servers, and return the same event id to both', async () => {
    for (const [ttlMs, hasWaitingRuns] of [
      [0, true],
      [0, false],
      [HOUR, true],
      [HOUR, false],
    ] as const) {
      let eventIds: string[] = [];
      let repeatedEvent = event;
      const createOtherRun = (): TestRun => ({ ...run, runId: randomUUID() });
      let otherRun = run;
      await runSchedules(
        async () => {
          setUpEvent(ttlMs);
          [eventIds, repeatedEvent, otherRun] = [[], { ...event, eventId: randomUUID() }, createOtherRun()];
          // Two runs wait, so that a second delivery would also find a run.
          if (hasWaitingRuns) for (const each of [run, otherRun]) await startWaiting(each);
          return [event, repeatedEvent].map(
            (each): ServerTask =>
              async (pool) =>
                void eventIds.push(await deliverEvent(createGatedStorage(pool), each, false)),
          );
        },
        async () => {
          await correlateAll();
          const [eventId = ''] = eventIds;
          expect(eventIds).to.deep.equal([eventId, eventId]);
          const ids = await Promise.all(
            [event, repeatedEvent].map(async (each) => (await storage.findInboundEvent(each.eventId))?.eventId),
          );
          expect(ids.filter((id) => id !== undefined)).to.deep.equal([eventId]);
          if (!hasWaitingRuns) return;
          expect(((await loadRevision(run)) ?? 0) + ((await loadRevision(otherRun)) ?? 0)).to.equal(3);
          expect((await storage.findInboundEvent(eventId))?.resumedRunIds).to.have.length(1);
        },
      );
    }
  });

  it('should fence a write whose event another session is recording, and commit the other writes', async () => {
    setUpEvent(0);
    const otherClient = await test.connect();
    await otherClient.query('BEGIN');
    await otherClient.query(
      `INSERT INTO inbound_events (event_id, via, source, idempotency_key, status, received_at) VALUES ($1, $2, $3, $4, 'unmatched', now())`,
      [randomUUID(), event.via, event.source, event.idempotencyKey],
    );
    const delivery = { from: 'event', event, isRedelivery: false, keep: false, refusedBy: [], leaseMs: 0 } as const;

    const committing = storage.commit([buildRunWrite(run, 0, { cause: delivery }), buildRunWrite(createTestRun(), 0)]);
    while ((await otherClient.query('SELECT FROM pg_locks WHERE NOT granted')).rowCount === 0);
    await otherClient.query('COMMIT');

    expect(await committing).to.deep.equal(['fenced', 'committed']);
    expect(await loadRevision(run)).to.equal(undefined);
  });

  it('should deliver one of two events to the only waiting run, and record the other as unmatched', async () => {
    let other = event;
    await runSchedules(
      async () => {
        setUpEvent(0);
        other = buildEvent(channel, 0);
        await startWaiting(run);
        return [createDeliveryTask(), createDeliveryTask(other)];
      },
      async () => {
        const [firstRecord, secondRecord] = [await loadRecord(event), await loadRecord(other)];
        expect([firstRecord.status, secondRecord.status].sort()).to.deep.equal(['matched', 'unmatched']);
        expect([...firstRecord.resumedRunIds, ...secondRecord.resumedRunIds]).to.deep.equal([run.runId]);
        expect(await loadRevision(run)).to.equal(2);
      },
    );
  });

  it('should deliver an event to the waiting run, or to the next run if the first run stops waiting', async () => {
    const outcomes = new Set<string>();
    let next = run;
    await runSchedules(
      async () => {
        setUpEvent(0);
        next = createTestRun();
        const [own, other] = [
          buildSubscription(channel),
          { ...buildSubscription(channel), since: buildSubscription(channel).since + 1 },
        ];
        await storage.commit([
          buildRunWrite(run, 0, { subscriptionsOpened: [own] }),
          buildRunWrite(next, 0, { subscriptionsOpened: [other] }),
        ]);
        return [
          createDeliveryTask(),
          (pool) =>
            createGatedStorage(pool).commit([buildRunWrite(run, 1, { subscriptionsClosed: [own.subscriptionId] })]),
        ];
      },
      async () => {
        const { resumedRunIds } = await loadRecord(event);
        expect(resumedRunIds).to.have.length(1);
        const reachedNext = resumedRunIds[0] === next.runId;
        outcomes.add(reachedNext ? 'next' : 'run');
        expect([await loadRevision(run), await loadRevision(next)]).to.deep.equal([2, reachedNext ? 2 : 1]);
      },
    );
    expect([...outcomes].sort()).to.deep.equal(['next', 'run']);
  });

  it('should also deliver a buffered event to a run of another workflow that starts to wait concurrently', async () => {
    let other = run;
    await runSchedules(
      async () => {
        setUpEvent(HOUR);
        other = createTestRun('another');
        await startWaiting(run);
        return [createDeliveryTask(), createSubscriptionTask(other)];
      },
      async () => {
        await correlateAll();
        expect((await loadRecord(event)).resumedRunIds.toSorted()).to.deep.equal([run.runId, other.runId].toSorted());
        expect([await loadRevision(run), await loadRevision(other)]).to.deep.equal([2, 2]);
      },
    );
  });
});
