import type { InboundEventCause, InboundEvent, MessageChannel, StoragePort } from '@countersign/core/ports';
import { expect } from 'chai';
import type { StorageGetter } from '../storage-under-test.js';
import {
  deploy,
  nextId,
  requireValue,
  createRunRecord,
  createRunWrite,
  createSubscription,
} from '../storage-fixtures.js';
import { currentTime } from '@countersign/model/testing';

const CHANNEL: MessageChannel = { messageName: 'ci.passed', correlationKey: 'a/b#1' };
const HOUR_MS = 3_600_000;

function createEvent(channel: MessageChannel, overrides: Partial<InboundEvent> = {}): InboundEvent {
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

const createCause = (event: InboundEvent, overrides: Partial<InboundEventCause> = {}): InboundEventCause => ({
  from: 'event',
  event,
  isRedelivery: false,
  keep: false,
  refusedBy: [],
  leaseMs: 60_000,
  ...overrides,
});

export function describeInboundEvents(getStorage: StorageGetter): void {
  describe('inbound events', () => {
    const recordEvent = (
      storage: StoragePort,
      event: InboundEvent,
      mode: 'look' | 'record' | 'again' = 'record',
      refusedBy: readonly string[] = [],
    ) => storage.recordInboundEvent(event, { mode, refusedBy, now: currentTime(), leaseMs: 60_000 });

    it('should return the matching run or start event per workflow, without writing the event', async () => {
      const { storage, other } = getStorage();
      const [early, late, otherWorkflow] = [
        createSubscription(CHANNEL, 1_000),
        createSubscription(CHANNEL, 2_000),
        createSubscription(CHANNEL, 3_000),
      ];
      await storage.commit([
        createRunWrite({ subscriptionsOpened: [late, early] }),
        createRunWrite({ run: createRunRecord({ workflowId: 'audit' }), subscriptionsOpened: [otherWorkflow] }),
      ]);
      await deploy(
        storage,
        { workflowId: 'order' },
        { subscriptions: [{ kind: 'message', name: CHANNEL.messageName, elementId: 'on-order', trigger: 0 }] },
      );
      const event = createEvent(CHANNEL);

      for (const mode of ['look', 'record', 'again'] as const) {
        const results = await recordEvent(other, event, mode);
        const found =
          results.kind === 'matches'
            ? results.matches.map(
                ({ workflowId, to, hasEarlierMessage: behind }) =>
                  `${workflowId} ${to.kind === 'run' ? to.subscriptionId : to.elementId} ${behind}`,
              )
            : results.kind;
        expect(found, mode).to.have.members([
          `audit ${otherWorkflow.subscriptionId} false`,
          `order on-order false`,
          `release ${early.subscriptionId} false`,
        ]);
      }
      expect(await storage.findInboundEvent(event.eventId)).to.equal(undefined);
      expect(await recordEvent(storage, event, 'record', ['audit', 'order', 'release'])).to.deep.equal({
        kind: 'recorded',
      });
    });

    it('should record an unmatched event only once and count its repeats', async () => {
      const { storage, other } = getStorage();
      const event = createEvent(CHANNEL, { expiresAt: currentTime() + HOUR_MS });
      const createRepeat = (): InboundEvent => ({ ...event, eventId: nextId() });

      expect(await recordEvent(storage, event, 'look')).to.deep.equal({ kind: 'matches', matches: [] });
      const results = await Promise.all([
        recordEvent(storage, event),
        recordEvent(other, createRepeat()),
        recordEvent(storage, createRepeat()),
        recordEvent(other, { ...createRepeat(), source: 'else' }),
      ]);

      expect(results.filter(({ kind }) => kind === 'recorded')).to.have.length(2);
      const repeat = await recordEvent(other, createRepeat(), 'look');
      const repeated = repeat.kind === 'repeated' ? repeat.event : expect.fail(repeat.kind);
      const repeats = results.filter(({ kind }) => kind === 'repeated').length + 1;
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
      const { storage, other } = getStorage();
      const event = createEvent(CHANNEL);
      const [first, second] = [
        createRunWrite({ cause: createCause(event) }),
        createRunWrite({
          run: createRunRecord({ workflowId: 'audit' }),
          cause: createCause({ ...event, eventId: nextId() }),
        }),
      ];

      expect(
        (await Promise.all([storage.commit([first]), other.commit([second, createRunWrite()])])).flat().toSorted(),
      ).to.deep.equal(['committed', 'committed', 'fenced']);

      const repeat = await recordEvent(storage, event, 'look');
      const { startedRunIds, resumedRunIds, status } =
        repeat.kind === 'repeated' ? repeat.event : expect.fail(repeat.kind);
      expect([status, resumedRunIds, startedRunIds.length]).to.deep.equal(['matched', [], 1]);
      const loadedRuns = await storage.loadRuns([first.run.runId, second.run.runId]);
      expect([...loadedRuns.keys()]).to.deep.equal(startedRunIds);
      expect(
        await storage.commit([
          createRunWrite({ cause: createCause(createEvent(CHANNEL, { idempotencyKey: event.idempotencyKey })) }),
        ]),
      ).to.deep.equal(['fenced']);
      expect(
        await other.commit([
          createRunWrite({
            cause: createCause(createEvent(CHANNEL, { idempotencyKey: event.idempotencyKey, source: 'else' })),
          }),
        ]),
      ).to.deep.equal(['committed']);
    });

    it('should recognize a repeated body if the source requires that', async () => {
      const { storage, other } = getStorage();
      const event = createEvent(CHANNEL, { oncePerBody: true });
      const createSameBodyEvent = (): InboundEvent => ({
        ...createEvent(CHANNEL),
        bodyDigest: event.bodyDigest,
        oncePerBody: true,
      });
      expect(
        (
          await Promise.all([
            storage.commit([createRunWrite({ cause: createCause(event) })]),
            other.commit([createRunWrite({ cause: createCause(createSameBodyEvent()) })]),
          ])
        )
          .flat()
          .toSorted(),
      ).to.deep.equal(['committed', 'fenced']);
      expect(await recordEvent(other, createSameBodyEvent())).to.have.property('kind', 'repeated');
      expect(
        await recordEvent(other, { ...createSameBodyEvent(), oncePerBody: false }),
        'also under another idempotency key',
      ).to.have.property('kind', 'repeated');
      expect(
        (
          await other.commit([createRunWrite({ cause: createCause({ ...createSameBodyEvent(), oncePerBody: false }) })])
        ).flat(),
      ).to.deep.equal(['fenced']);
    });

    it('should buffer an event for other workflows and record the runs that received it', async () => {
      const { storage, other } = getStorage();
      const event = createEvent(CHANNEL, { expiresAt: currentTime() + HOUR_MS });
      const first = createRunWrite({ cause: createCause(event, { keep: true, refusedBy: ['never'] }) });
      await storage.commit([first]);
      await storage.commit(
        ['never', 'release', 'audit'].map((workflowId) =>
          createRunWrite({ run: createRunRecord({ workflowId }), subscriptionsOpened: [createSubscription(CHANNEL)] }),
        ),
      );

      const { matches } = requireValue(await other.matchMessages(CHANNEL, currentTime()));
      expect(
        matches.map(({ messageId, workflowId, origin }) => `${messageId} ${workflowId} ${origin.ofEvent === true}`),
      ).to.deep.equal([`${event.eventId} audit true`]);
      const later = createRunWrite({
        run: createRunRecord({ workflowId: 'audit' }),
        cause: { messageId: event.eventId, from: 'channel', ofEvent: true },
      });
      expect(await other.commit([later])).to.deep.equal(['committed']);

      const record = requireValue(await storage.findInboundEvent(event.eventId));
      expect([record.status, record.startedRunIds.toSorted()]).to.deep.equal([
        'matched',
        [first.run.runId, later.run.runId].toSorted(),
      ]);
    });

    it('should deliver an event again only until it has matched, and not while it is buffered', async () => {
      const { storage, other } = getStorage();
      const event = createEvent(CHANNEL);
      const createRedelivery = () => createRunWrite({ cause: createCause(event, { isRedelivery: true }) });
      expect(await storage.commit([createRedelivery()])).to.deep.equal(['fenced']);
      await recordEvent(storage, event);
      expect(
        (await Promise.all([storage.commit([createRedelivery()]), other.commit([createRedelivery()])]))
          .flat()
          .toSorted(),
      ).to.deep.equal(['committed', 'fenced']);
      const bufferedEvent = createEvent(CHANNEL, { expiresAt: currentTime() + HOUR_MS });
      await recordEvent(storage, bufferedEvent);
      expect(
        await storage.commit([createRunWrite({ cause: createCause(bufferedEvent, { isRedelivery: true }) })]),
      ).to.deep.equal(['fenced']);
    });

    it('should mark a buffered event as expired only if no run received it', async () => {
      const { storage } = getStorage();
      const [bufferedEvent, matchedEvent] = [
        createEvent(CHANNEL, { expiresAt: currentTime() + HOUR_MS }),
        createEvent({ ...CHANNEL, correlationKey: 'a/b#2' }, { expiresAt: currentTime() + HOUR_MS }),
      ];
      await recordEvent(storage, bufferedEvent);
      await storage.commit([createRunWrite({ cause: createCause(matchedEvent, { keep: true }) })]);
      for (const channel of [bufferedEvent, matchedEvent])
        await storage.markChannelIdle(channel, requireValue(await storage.matchMessages(channel, currentTime())));

      expect(await storage.expireMessages(currentTime() + HOUR_MS, 0, 10)).to.equal(2);

      expect(
        await Promise.all(
          [bufferedEvent, matchedEvent].map(async ({ eventId }) => (await storage.findInboundEvent(eventId))?.status),
        ),
      ).to.deep.equal(['expired', 'matched']);
    });
  });
}
