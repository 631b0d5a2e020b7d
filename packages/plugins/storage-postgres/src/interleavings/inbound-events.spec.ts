import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { InboundEvent, InboundEventRecord, MessageChannel, StoragePort } from '@countersign/core/ports';
import { createTestStorage, type TestStorage } from '../storage.spec.support.js';
import {
  deliver,
  eventTo,
  gatedStorage,
  look,
  runOf,
  subscriptionTo,
  writeOf,
  type TestRun,
} from '../messages/messages.spec.support.js';
import { everySchedule, type Work } from '../messages/schedules.spec.support.js';

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

  const begin = (livesMs: number): void => {
    channel = { messageName: 'ci.passed', correlationKey: randomUUID() };
    [event, run] = [eventTo(channel, livesMs), runOf()];
  };
  const delivering =
    (each: InboundEvent = event): Work =>
    (pool) =>
      deliver(gatedStorage(pool), each);
  const subscribing =
    (each: TestRun = run): Work =>
    (pool) =>
      gatedStorage(pool).commit([writeOf(each, 0, { subscriptionsOpened: [subscriptionTo(channel)] })]);
  const waiting = async (each: TestRun): Promise<void> => {
    await storage.commit([writeOf(each, 0, { subscriptionsOpened: [subscriptionTo(channel)] })]);
  };
  const schedules = (
    prepare: () => Promise<readonly Work[]>,
    end: (schedule: string) => Promise<void>,
  ): Promise<number> => everySchedule(() => test.connect(), 2, prepare, end);

  /** Claims and correlates all unsettled channels, as every server does periodically. */
  async function sweep(): Promise<void> {
    for (const claimed of await storage.claimChannels({ limit: 100, leaseMs: 60_000 })) await look(storage, claimed);
  }

  async function recordOf({ eventId }: InboundEvent): Promise<InboundEventRecord> {
    return (await storage.findInboundEvent(eventId)) ?? expect.fail('it is not recorded');
  }

  /** Returns the revision of a run, which is 2 after it received the event. */
  async function revisionOf({ runId }: TestRun): Promise<number | undefined> {
    return (await storage.loadRuns([runId])).get(runId)?.revision;
  }

  it('should deliver an event to a run that waited before, or record it as unmatched', async () => {
    const outcomes = new Set<string>();
    await schedules(
      async () => {
        begin(0);
        return [delivering(), subscribing()];
      },
      async (schedule) => {
        await sweep();
        const { status, resumedRunIds } = await recordOf(event);
        const revision = await revisionOf(run);
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
    const count = await schedules(
      async () => {
        begin(HOUR);
        return [delivering(), subscribing()];
      },
      async () => {
        await sweep();
        expect([
          await revisionOf(run),
          (await recordOf(event)).resumedRunIds,
          (await recordOf(event)).status,
        ]).to.deep.equal([2, [run.runId], 'matched']);
      },
    );
    expect(count).to.be.at.least(10);
  });

  it('should process a repeated delivery once on two servers, and return the same event id to both', async () => {
    for (const [livesMs, waits] of [
      [0, true],
      [0, false],
      [HOUR, true],
      [HOUR, false],
    ] as const) {
      let told: string[] = [];
      let second = event;
      const next = (): TestRun => ({ ...run, runId: randomUUID() });
      let other = run;
      await schedules(
        async () => {
          begin(livesMs);
          [told, second, other] = [[], { ...event, eventId: randomUUID() }, next()];
          // Two runs wait, so that a second delivery would also find a run.
          if (waits) for (const each of [run, other]) await waiting(each);
          return [event, second].map(
            (each): Work =>
              async (pool) =>
                void told.push(await deliver(gatedStorage(pool), each, false)),
          );
        },
        async () => {
          await sweep();
          const [eventId = ''] = told;
          expect(told).to.deep.equal([eventId, eventId]);
          const ids = await Promise.all(
            [event, second].map(async (each) => (await storage.findInboundEvent(each.eventId))?.eventId),
          );
          expect(ids.filter((id) => id !== undefined)).to.deep.equal([eventId]);
          if (!waits) return;
          expect(((await revisionOf(run)) ?? 0) + ((await revisionOf(other)) ?? 0)).to.equal(3);
          expect((await storage.findInboundEvent(eventId))?.resumedRunIds).to.have.length(1);
        },
      );
    }
  });

  it('should fence a write whose event another session is recording, and commit the other writes', async () => {
    begin(0);
    const other = await test.connect();
    await other.query('BEGIN');
    await other.query(
      `INSERT INTO inbound_events (event_id, via, source, idempotency_key, status, received_at) VALUES ($1, $2, $3, $4, 'unmatched', now())`,
      [randomUUID(), event.via, event.source, event.idempotencyKey],
    );
    const delivery = { from: 'event', event, again: false, keep: false, refusedBy: [], leaseMs: 0 } as const;

    const committing = storage.commit([writeOf(run, 0, { cause: delivery }), writeOf(runOf(), 0)]);
    while ((await other.query('SELECT FROM pg_locks WHERE NOT granted')).rowCount === 0);
    await other.query('COMMIT');

    expect(await committing).to.deep.equal(['fenced', 'committed']);
    expect(await revisionOf(run)).to.equal(undefined);
  });

  it('should deliver one of two events to the only waiting run, and record the other as unmatched', async () => {
    let other = event;
    await schedules(
      async () => {
        begin(0);
        other = eventTo(channel, 0);
        await waiting(run);
        return [delivering(), delivering(other)];
      },
      async () => {
        const [one, two] = [await recordOf(event), await recordOf(other)];
        expect([one.status, two.status].sort()).to.deep.equal(['matched', 'unmatched']);
        expect([...one.resumedRunIds, ...two.resumedRunIds]).to.deep.equal([run.runId]);
        expect(await revisionOf(run)).to.equal(2);
      },
    );
  });

  it('should deliver an event to the waiting run, or to the next run if the first run stops waiting', async () => {
    const outcomes = new Set<string>();
    let next = run;
    await schedules(
      async () => {
        begin(0);
        next = runOf();
        const [mine, other] = [
          subscriptionTo(channel),
          { ...subscriptionTo(channel), since: subscriptionTo(channel).since + 1 },
        ];
        await storage.commit([
          writeOf(run, 0, { subscriptionsOpened: [mine] }),
          writeOf(next, 0, { subscriptionsOpened: [other] }),
        ]);
        return [
          delivering(),
          (pool) => gatedStorage(pool).commit([writeOf(run, 1, { subscriptionsClosed: [mine.subscriptionId] })]),
        ];
      },
      async () => {
        const { resumedRunIds } = await recordOf(event);
        expect(resumedRunIds).to.have.length(1);
        const toNext = resumedRunIds[0] === next.runId;
        outcomes.add(toNext ? 'next' : 'run');
        expect([await revisionOf(run), await revisionOf(next)]).to.deep.equal([2, toNext ? 2 : 1]);
      },
    );
    expect([...outcomes].sort()).to.deep.equal(['next', 'run']);
  });

  it('should keep an event for a run of another workflow that starts to wait concurrently', async () => {
    let other = run;
    await schedules(
      async () => {
        begin(HOUR);
        other = runOf('another');
        await waiting(run);
        return [delivering(), subscribing(other)];
      },
      async () => {
        await sweep();
        expect((await recordOf(event)).resumedRunIds.toSorted()).to.deep.equal([run.runId, other.runId].toSorted());
        expect([await revisionOf(run), await revisionOf(other)]).to.deep.equal([2, 2]);
      },
    );
  });
});
