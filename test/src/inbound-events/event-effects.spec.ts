import { EnginePort, ReceiveInboundEvent } from '@countersign/core';
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import {
  catchEvent,
  MessageHost,
  messageModel,
  messageStartEvent,
  receivingModel,
} from '../messages/messages.spec.support.js';
import { getRejectionCode, deliver, requireInboundEvent } from './inbound-events.spec.support.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describe('inbound events: effects on runs', () => {
  let host: MessageHost;
  let secondHost: MessageHost;

  before(async () => {
    host = await MessageHost.create();
    secondHost = await host.createSecondServer();
    await host.server.deploy(receivingModel('one', 'paid'));
    await host.server.deploy(receivingModel('two', 'paid'));
    await host.server.deploy(
      messageModel('three', `${messageStartEvent('start', 'paid-first')}<bpmn:endEvent id="end" />`, 'start > end'),
    );
    await host.server.deploy(
      messageModel(
        'four',
        `<bpmn:startEvent id="start" />${catchEvent('wait', 'paid-first')}<bpmn:endEvent id="end" />`,
        'start > wait',
        'wait > end',
      ),
    );
  });

  after(async () => {
    await secondHost.server.close();
    await host.server.close();
  });

  it('should resume the waiting run and record the event', async () => {
    // given
    const key = randomUUID();
    const runId = await host.startRun('one', { key });

    // when
    const receivedEvent = await deliver(host, 'paid', key, { payload: { amount: 3 }, idempotencyKey: `d-${key}` });

    // then
    expect(receivedEvent).to.deep.include({
      duplicate: false,
      resumedRunIds: [runId],
      startedRunIds: [],
      buffered: false,
      messageName: 'paid',
      correlationKey: key,
    });
    expect(await host.listReceivedPayloads(runId)).to.deep.equal([{ amount: 3 }]);
    expect((await host.waitUntilEnded(runId)).outcome).to.equal('completed');
    expect(await requireInboundEvent(secondHost, receivedEvent.eventId)).to.deep.include({
      status: 'matched',
      via: 'test',
      source: 'shop',
      idempotencyKey: `d-${key}`,
      payload: { amount: 3 },
      resumedRunIds: [runId],
      repeats: 0,
      from: '192.0.2.1',
    });
  });

  it('should record an unmatched event as "unmatched" without buffering it', async () => {
    const key = randomUUID();
    const receivedEvent = await deliver(host, 'paid', key);
    expect(receivedEvent).to.deep.include({ duplicate: false, resumedRunIds: [], buffered: false });

    const runId = await host.startRun('one', { key });

    expect((await requireInboundEvent(host, receivedEvent.eventId)).status).to.equal('unmatched');
    expect((await host.storage.findRun(runId))?.run.status).to.equal('blocked');
    expect(await host.storage.countBufferedMessages(host.clock.now())).to.equal(0);
  });

  it('should take effect once, and return the first result to each repeat with the same idempotency key', async () => {
    // given
    const key = randomUUID();
    const [first, second] = [await host.startRun('one', { key }), await host.startRun('one', { key })];
    const receivedEvent = await deliver(host, 'paid', key, { idempotencyKey: key });

    // when
    const repeatedEvent = await deliver(secondHost, 'paid', key, { idempotencyKey: key });
    const otherMessageEvent = await deliver(host, 'else', 'else', { idempotencyKey: key });
    const otherSourceEvent = await deliver(host, 'paid', key, { idempotencyKey: key, source: 'other' });

    // then
    expect(repeatedEvent).to.deep.equal({ ...receivedEvent, duplicate: true });
    expect(otherMessageEvent).to.deep.equal(repeatedEvent);
    expect([receivedEvent.resumedRunIds, otherSourceEvent.resumedRunIds, otherSourceEvent.duplicate]).to.deep.equal([
      [first],
      [second],
      false,
    ]);
    expect((await requireInboundEvent(host, receivedEvent.eventId)).repeats).to.equal(2);
  });

  it('should return the first result to a repeat of an unmatched event, even if a run has started to wait in the meantime', async () => {
    const key = randomUUID();
    const { eventId } = await deliver(host, 'paid', key, { idempotencyKey: key });
    const runId = await host.startRun('one', { key });

    const repeatedEvent = await deliver(host, 'paid', key, { idempotencyKey: key });

    expect(repeatedEvent).to.deep.include({ eventId, duplicate: true, resumedRunIds: [] });
    expect((await host.storage.findRun(runId))?.run.outcome).to.equal(null);
  });

  it('should treat an event with an identical body from the same source as a duplicate if `oncePerBody` is set', async () => {
    const key = randomUUID();
    const [bodyDigest, oncePerBody] = ['a'.repeat(64), true];
    const first = await deliver(host, 'paid', key, { bodyDigest, oncePerBody });
    expect(await deliver(host, 'paid', key, { bodyDigest, oncePerBody })).to.deep.equal({ ...first, duplicate: true });
    expect(await deliver(host, 'paid', key, { bodyDigest, oncePerBody, source: 'other' })).to.include({
      duplicate: false,
    });
    const receivedEvents = await Promise.all(
      [host, secondHost, host, secondHost].map((each) =>
        deliver(each, 'paid', key, { bodyDigest: 'b'.repeat(64), oncePerBody }),
      ),
    );
    expect(receivedEvents.filter(({ duplicate }) => !duplicate)).to.have.length(1);
  });

  it('should resume one run per workflow and start a run of each workflow with a matching start event', async () => {
    // given
    const key = randomUUID();
    const [firstRunId, secondRunId] = [await host.startRun('one', { key }), await host.startRun('two', { key })];
    const fourthRunId = await host.startRun('four', { key });

    // when
    const paidEvent = await deliver(host, 'paid', key);
    const first = await deliver(secondHost, 'paid-first', key);

    // then
    expect(paidEvent.resumedRunIds.toSorted()).to.deep.equal([firstRunId, secondRunId].toSorted());
    expect(first.resumedRunIds).to.deep.equal([fourthRunId]);
    const started = await host.listRuns('three');
    expect(first.startedRunIds).to.deep.equal(started.map(({ runId }) => runId));
    expect(started[0]?.startedBy).to.equal('test:shop');
    expect((await requireInboundEvent(host, paidEvent.eventId)).resumedRunIds).to.have.length(2);
    // The audit trail of each run names the event.
    for (const [event, runId] of [
      [paidEvent, firstRunId],
      [paidEvent, secondRunId],
      [first, fourthRunId],
      [first, first.startedRunIds[0] ?? ''],
    ] as const) {
      const audit = await host.storage.listAudit({ runId }, 10);
      expect(
        audit
          .filter(({ data }) => data['eventId'] === event.eventId)
          .map(({ actor, action }) => `${actor?.id ?? ''} ${action}`),
        runId,
      ).to.deep.equal([`test:shop ${runId === first.startedRunIds[0] ? 'run.start' : 'message.correlate'}`]);
    }
    expect(await requireInboundEvent(host, first.eventId)).to.deep.include({
      status: 'matched',
      resumedRunIds: [fourthRunId],
      startedRunIds: first.startedRunIds,
    });
    expect(await host.storage.countBufferedMessages(host.clock.now())).to.equal(0);
  });

  it('should buffer an event for runs that wait later, and record the resumed runs', async () => {
    // given
    const key = randomUUID();
    const firstRunId = await host.startRun('one', { key });
    const receivedEvent = await deliver(host, 'paid', key, { bufferForMs: HOUR_MS, idempotencyKey: key });
    const laterEvent = await deliver(host, 'paid', `${key}-later`, { bufferForMs: HOUR_MS });
    expect([receivedEvent.resumedRunIds, receivedEvent.buffered, laterEvent.buffered]).to.deep.equal([
      [firstRunId],
      true,
      true,
    ]);
    expect((await requireInboundEvent(host, laterEvent.eventId)).status).to.equal('buffered');

    // when
    const secondRunId = await secondHost.startRun('two', { key });
    const laterRunId = await secondHost.startRun('two', { key: `${key}-later` });
    await Promise.all([host.waitUntilEnded(secondRunId), host.waitUntilEnded(laterRunId)]);

    // then
    expect((await requireInboundEvent(host, receivedEvent.eventId)).resumedRunIds).to.have.members([
      firstRunId,
      secondRunId,
    ]);
    expect(await requireInboundEvent(host, laterEvent.eventId)).to.deep.include({
      status: 'matched',
      resumedRunIds: [laterRunId],
    });
    expect((await deliver(secondHost, 'paid', key, { idempotencyKey: key })).resumedRunIds).to.have.members([
      firstRunId,
      secondRunId,
    ]);
  });

  it('should mark a buffered event as expired, and deliver the event again on request', async () => {
    // given
    const key = randomUUID();
    const operatorContext = { actor: { type: 'user', id: 'otto', name: 'Otto' }, from: null, traceId: null } as const;
    const engine = host.server.host.get(EnginePort);
    const redeliverEvent = (eventId: string) => engine.redeliverEvent({ eventId, context: operatorContext });
    const { eventId } = await deliver(host, 'paid', key, { bufferForMs: HOUR_MS, payload: { late: true } });
    expect(await getRejectionCode(redeliverEvent(eventId))).to.equal('inbound_event_not_redeliverable');

    // when
    host.clock.setTo(host.clock.time + HOUR_MS);
    await host.storage.expireMessages(host.clock.now(), 0, 100);
    expect((await requireInboundEvent(host, eventId)).status).to.equal('expired');
    expect(await redeliverEvent(eventId)).to.deep.include({ resumedRunIds: [] });
    const runId = await host.startRun('one', { key });
    const results = await Promise.allSettled([
      redeliverEvent(eventId),
      secondHost.server.host.get(EnginePort).redeliverEvent({ eventId, context: operatorContext }),
    ]);

    // then
    expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length.at.least(1);
    expect(await host.listReceivedPayloads(runId)).to.deep.equal([{ late: true }]);
    expect(await requireInboundEvent(host, eventId)).to.deep.include({ status: 'matched', resumedRunIds: [runId] });
    expect(await getRejectionCode(redeliverEvent(eventId))).to.equal('inbound_event_not_redeliverable');
    expect(await getRejectionCode(redeliverEvent(randomUUID()))).to.equal('inbound_event_not_found');
  });

  it('should let a waiting run receive an earlier published message first', async () => {
    // given: a message that a dead server left undelivered
    const key = randomUUID();
    const runId = await host.startRun('one', { key });
    const origin = { runId: null, actor: null, from: null, traceId: null };
    const now = host.clock.now();
    await host.storage.publishMessage(
      {
        messageId: randomUUID(),
        messageName: 'paid',
        correlationKey: key,
        payload: { n: 1 },
        origin,
        publishedAt: now,
        expiresAt: now + HOUR_MS,
        fromOutbox: false,
      },
      60_000,
    );

    // when
    const receivedEvent = await deliver(host, 'paid', key, { payload: { n: 2 } });

    // then
    expect(receivedEvent.resumedRunIds).to.deep.equal([]);
    expect(await host.listReceivedPayloads(runId)).to.deep.equal([{ n: 1 }]);
  });

  it('should count equal refusals within a minute in one record, without their payload', async () => {
    // given: a minute that has just started
    host.clock.setTo(Math.ceil(host.clock.time / MINUTE_MS) * MINUTE_MS);
    const receiveInboundEvent = host.server.host.get(ReceiveInboundEvent);
    const refusal = { via: 'test', from: '192.0.2.9', traceId: null };
    for (let n = 0; n < 50; n += 1)
      receiveInboundEvent.recordRefusal({ ...refusal, source: null, code: 'invalid_signature' });
    receiveInboundEvent.recordRefusal({ ...refusal, source: 'shop', code: 'message_not_allowed', messageName: 'paid' });
    await receiveInboundEvent.flush();
    receiveInboundEvent.recordRefusal({ ...refusal, source: null, code: 'invalid_signature' });
    await receiveInboundEvent.flush();

    const client = new pg.Client({ connectionString: host.server.database.connectionString });
    await client.connect();
    const { rows } = await client.query<Record<string, unknown>>(
      `SELECT source, code, message_name, repeats, payload FROM inbound_events WHERE status = 'refused' ORDER BY code`,
    );
    await client.end();
    expect(rows).to.deep.equal([
      { source: null, code: 'invalid_signature', message_name: null, repeats: '50', payload: null },
      { source: 'shop', code: 'message_not_allowed', message_name: 'paid', repeats: '0', payload: null },
    ]);
  });
});
