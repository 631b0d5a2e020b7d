import type { InboundEventCause, InboundEvent, MessageChannel, StoragePort } from '@countersign/core/ports';
import { expect } from 'chai';
import type { Subject } from '../storage-under-test.js';
import { deploy, nextId, present, runRecord, runWrite, subscriptionTo } from '../storage-fixtures.js';
import { currentTime } from '@countersign/model/testing';

const CHANNEL: MessageChannel = { messageName: 'ci.passed', correlationKey: 'a/b#1' };
const HOUR = 3_600_000;

function eventTo(channel: MessageChannel, overrides: Partial<InboundEvent> = {}): InboundEvent {
  const eventId = nextId();
  return {
    ...channel,
    eventId,
    via: 'event-ingress',
    source: 'ci',
    idempotencyKey: eventId,
    bodyDigest: eventId,
    oncePerBody: false,
    payload: { build: 7 },
    receivedAt: currentTime(),
    expiresAt: null,
    actor: { type: 'service', id: 'event-ingress:ci', name: 'ci' },
    from: '192.0.2.1',
    traceId: null,
    ...overrides,
  };
}

const delivering = (event: InboundEvent, more: Partial<InboundEventCause> = {}): InboundEventCause => ({
  from: 'event',
  event,
  again: false,
  keep: false,
  refusedBy: [],
  leaseMs: 60_000,
  ...more,
});

export function describeInboundEvents(current: Subject): void {
  describe('inbound events', () => {
    const take = (
      storage: StoragePort,
      event: InboundEvent,
      mode: 'look' | 'record' | 'again' = 'record',
      refusedBy: readonly string[] = [],
    ) => storage.recordInboundEvent(event, { mode, refusedBy, now: currentTime(), leaseMs: 60_000 });

    it('should return the matching run or start event per workflow, without writing the event', async () => {
      const { storage, other } = current();
      const [early, late, elsewhere] = [
        subscriptionTo(CHANNEL, 1_000),
        subscriptionTo(CHANNEL, 2_000),
        subscriptionTo(CHANNEL, 3_000),
      ];
      await storage.commit([
        runWrite({ subscriptionsOpened: [late, early] }),
        runWrite({ run: runRecord({ workflowId: 'audit' }), subscriptionsOpened: [elsewhere] }),
      ]);
      await deploy(
        storage,
        { workflowId: 'order' },
        { subscriptions: [{ kind: 'message', name: CHANNEL.messageName, elementId: 'on-order', trigger: 0 }] },
      );
      const event = eventTo(CHANNEL);

      for (const mode of ['look', 'record', 'again'] as const) {
        const taken = await take(other, event, mode);
        const found =
          taken.kind === 'matches'
            ? taken.matches.map(
                ({ workflowId, to, behind }) =>
                  `${workflowId} ${to.kind === 'run' ? to.subscriptionId : to.elementId} ${behind}`,
              )
            : taken.kind;
        expect(found, mode).to.have.members([
          `audit ${elsewhere.subscriptionId} false`,
          `order on-order false`,
          `release ${early.subscriptionId} false`,
        ]);
      }
      expect(await storage.findInboundEvent(event.eventId)).to.equal(undefined);
      expect(await take(storage, event, 'record', ['audit', 'order', 'release'])).to.deep.equal({ kind: 'recorded' });
    });

    it('should record an unmatched event only once and count its repeats', async () => {
      const { storage, other } = current();
      const event = eventTo(CHANNEL, { expiresAt: currentTime() + HOUR });
      const again = (): InboundEvent => ({ ...event, eventId: nextId() });

      expect(await take(storage, event, 'look')).to.deep.equal({ kind: 'matches', matches: [] });
      const taken = await Promise.all([
        take(storage, event),
        take(other, again()),
        take(storage, again()),
        take(other, { ...again(), source: 'else' }),
      ]);

      expect(taken.filter(({ kind }) => kind === 'recorded')).to.have.length(2);
      const repeat = await take(other, again(), 'look');
      const repeated = repeat.kind === 'repeated' ? repeat.event : expect.fail(repeat.kind);
      const repeats = taken.filter(({ kind }) => kind === 'repeated').length + 1;
      expect(repeated).to.deep.include({
        status: 'buffered',
        source: 'ci',
        repeats,
        payload: { build: 7 },
        resumedRunIds: [],
        expiresAt: event.expiresAt,
      });
      expect(await storage.countBufferedMessages(currentTime())).to.equal(2);
    });

    it('should record an event together with the run that consumes it, or neither of them', async () => {
      const { storage, other } = current();
      const event = eventTo(CHANNEL);
      const [first, second] = [
        runWrite({ cause: delivering(event) }),
        runWrite({ run: runRecord({ workflowId: 'audit' }), cause: delivering({ ...event, eventId: nextId() }) }),
      ];

      expect(
        (await Promise.all([storage.commit([first]), other.commit([second, runWrite()])])).flat().toSorted(),
      ).to.deep.equal(['committed', 'committed', 'fenced']);

      const repeat = await take(storage, event, 'look');
      const { startedRunIds, resumedRunIds, status } =
        repeat.kind === 'repeated' ? repeat.event : expect.fail(repeat.kind);
      expect([status, resumedRunIds, startedRunIds.length]).to.deep.equal(['matched', [], 1]);
      const there = await storage.loadRuns([first.run.runId, second.run.runId]);
      expect([...there.keys()]).to.deep.equal(startedRunIds);
      expect(
        await storage.commit([
          runWrite({ cause: delivering(eventTo(CHANNEL, { idempotencyKey: event.idempotencyKey })) }),
        ]),
      ).to.deep.equal(['fenced']);
      expect(
        await other.commit([
          runWrite({
            cause: delivering(eventTo(CHANNEL, { idempotencyKey: event.idempotencyKey, source: 'else' })),
          }),
        ]),
      ).to.deep.equal(['committed']);
    });

    it('should recognize a repeated body if the source requires that', async () => {
      const { storage, other } = current();
      const event = eventTo(CHANNEL, { oncePerBody: true });
      const same = (): InboundEvent => ({ ...eventTo(CHANNEL), bodyDigest: event.bodyDigest, oncePerBody: true });
      expect(
        (
          await Promise.all([
            storage.commit([runWrite({ cause: delivering(event) })]),
            other.commit([runWrite({ cause: delivering(same()) })]),
          ])
        )
          .flat()
          .toSorted(),
      ).to.deep.equal(['committed', 'fenced']);
      expect(await take(other, same())).to.have.property('kind', 'repeated');
      expect(
        await take(other, { ...same(), oncePerBody: false }),
        'also under another idempotency key',
      ).to.have.property('kind', 'repeated');
      expect(
        (await other.commit([runWrite({ cause: delivering({ ...same(), oncePerBody: false }) })])).flat(),
      ).to.deep.equal(['fenced']);
    });

    it('should buffer an event for other workflows and record which runs received it', async () => {
      const { storage, other } = current();
      const event = eventTo(CHANNEL, { expiresAt: currentTime() + HOUR });
      const first = runWrite({ cause: delivering(event, { keep: true, refusedBy: ['never'] }) });
      await storage.commit([first]);
      await storage.commit(
        ['never', 'release', 'audit'].map((workflowId) =>
          runWrite({ run: runRecord({ workflowId }), subscriptionsOpened: [subscriptionTo(CHANNEL)] }),
        ),
      );

      const { matches } = present(await other.matchMessages(CHANNEL, currentTime()));
      expect(
        matches.map(({ messageId, workflowId, origin }) => `${messageId} ${workflowId} ${origin.ofEvent === true}`),
      ).to.deep.equal([`${event.eventId} audit true`]);
      const later = runWrite({
        run: runRecord({ workflowId: 'audit' }),
        cause: { messageId: event.eventId, from: 'channel', ofEvent: true },
      });
      expect(await other.commit([later])).to.deep.equal(['committed']);

      const record = present(await storage.findInboundEvent(event.eventId));
      expect([record.status, record.startedRunIds.toSorted()]).to.deep.equal([
        'matched',
        [first.run.runId, later.run.runId].toSorted(),
      ]);
    });

    it('should deliver an event again only until it has matched, and not while it is buffered', async () => {
      const { storage, other } = current();
      const event = eventTo(CHANNEL);
      const again = () => runWrite({ cause: delivering(event, { again: true }) });
      expect(await storage.commit([again()])).to.deep.equal(['fenced']);
      await take(storage, event);
      expect((await Promise.all([storage.commit([again()]), other.commit([again()])])).flat().toSorted()).to.deep.equal(
        ['committed', 'fenced'],
      );
      const kept = eventTo(CHANNEL, { expiresAt: currentTime() + HOUR });
      await take(storage, kept);
      expect(await storage.commit([runWrite({ cause: delivering(kept, { again: true }) })])).to.deep.equal(['fenced']);
    });

    it('should mark a buffered event as expired only if no run received it', async () => {
      const { storage } = current();
      const [kept, had] = [
        eventTo(CHANNEL, { expiresAt: currentTime() + HOUR }),
        eventTo({ ...CHANNEL, correlationKey: 'a/b#2' }, { expiresAt: currentTime() + HOUR }),
      ];
      await take(storage, kept);
      await storage.commit([runWrite({ cause: delivering(had, { keep: true }) })]);
      for (const channel of [kept, had])
        await storage.markChannelIdle(channel, present(await storage.matchMessages(channel, currentTime())));

      expect(await storage.expireMessages(currentTime() + HOUR, 0, 10)).to.equal(2);

      expect(
        await Promise.all([kept, had].map(async ({ eventId }) => (await storage.findInboundEvent(eventId))?.status)),
      ).to.deep.equal(['expired', 'matched']);
    });
  });
}
