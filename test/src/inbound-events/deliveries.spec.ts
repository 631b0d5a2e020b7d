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
import { rejectionCode, deliver, requireInboundEvent } from './inbound-events.spec.support.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('inbound events: effect of a delivery', () => {
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
    const answer = await deliver(host, 'paid', key, { payload: { amount: 3 }, idempotencyKey: `d-${key}` });

    // then
    expect(answer).to.deep.include({
      duplicate: false,
      resumedRunIds: [runId],
      startedRunIds: [],
      buffered: false,
      messageName: 'paid',
      correlationKey: key,
    });
    expect(await host.receivedPayloads(runId)).to.deep.equal([{ amount: 3 }]);
    expect((await host.waitUntilEnded(runId)).outcome).to.equal('completed');
    expect(await requireInboundEvent(secondHost, answer.eventId)).to.deep.include({
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
    const answer = await deliver(host, 'paid', key);
    expect(answer).to.deep.include({ duplicate: false, resumedRunIds: [], buffered: false });

    const runId = await host.startRun('one', { key });

    expect((await requireInboundEvent(host, answer.eventId)).status).to.equal('unmatched');
    expect((await host.storage.findRun(runId))?.run.status).to.equal('blocked');
    expect(await host.storage.countBufferedMessages(host.clock.now())).to.equal(0);
  });

  it('should take effect once, and return the first result to each repeat with the same idempotency key', async () => {
    // given
    const key = randomUUID();
    const [first, second] = [await host.startRun('one', { key }), await host.startRun('one', { key })];
    const answer = await deliver(host, 'paid', key, { idempotencyKey: key });

    // when
    const again = await deliver(secondHost, 'paid', key, { idempotencyKey: key });
    const otherDelivery = await deliver(host, 'else', 'else', { idempotencyKey: key });
    const another = await deliver(host, 'paid', key, { idempotencyKey: key, source: 'other' });

    // then
    expect(again).to.deep.equal({ ...answer, duplicate: true });
    expect(otherDelivery).to.deep.equal(again);
    expect([answer.resumedRunIds, another.resumedRunIds, another.duplicate]).to.deep.equal([[first], [second], false]);
    expect((await requireInboundEvent(host, answer.eventId)).repeats).to.equal(2);
  });

  it('should return the first result to a repeat of an unmatched event, even if a run waits meanwhile', async () => {
    const key = randomUUID();
    const { eventId } = await deliver(host, 'paid', key, { idempotencyKey: key });
    const runId = await host.startRun('one', { key });

    const again = await deliver(host, 'paid', key, { idempotencyKey: key });

    expect(again).to.deep.include({ eventId, duplicate: true, resumedRunIds: [] });
    expect((await host.storage.findRun(runId))?.run.outcome).to.equal(null);
  });

  it('should treat an identical body of a source as a duplicate if the source requires that', async () => {
    const key = randomUUID();
    const [bodyDigest, oncePerBody] = ['a'.repeat(64), true];
    const first = await deliver(host, 'paid', key, { bodyDigest, oncePerBody });
    expect(await deliver(host, 'paid', key, { bodyDigest, oncePerBody })).to.deep.equal({ ...first, duplicate: true });
    expect(await deliver(host, 'paid', key, { bodyDigest, oncePerBody, source: 'other' })).to.include({
      duplicate: false,
    });
    const all = await Promise.all(
      [host, secondHost, host, secondHost].map((each) =>
        deliver(each, 'paid', key, { bodyDigest: 'b'.repeat(64), oncePerBody }),
      ),
    );
    expect(all.filter(({ duplicate }) => !duplicate)).to.have.length(1);
  });

  it('should resume one run per workflow and start a run of workflows with a matching start event', async () => {
    // given
    const key = randomUUID();
    const [one, two] = [await host.startRun('one', { key }), await host.startRun('two', { key })];
    const four = await host.startRun('four', { key });

    // when
    const paid = await deliver(host, 'paid', key);
    const first = await deliver(secondHost, 'paid-first', key);

    // then
    expect(paid.resumedRunIds.toSorted()).to.deep.equal([one, two].toSorted());
    expect(first.resumedRunIds).to.deep.equal([four]);
    const started = await host.runs('three');
    expect(first.startedRunIds).to.deep.equal(started.map(({ runId }) => runId));
    expect(started[0]?.startedBy).to.equal('test:shop');
    expect((await requireInboundEvent(host, paid.eventId)).resumedRunIds).to.have.length(2);
    // The audit trail of each run names the event.
    for (const [event, runId] of [
      [paid, one],
      [paid, two],
      [first, four],
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
      resumedRunIds: [four],
      startedRunIds: first.startedRunIds,
    });
    expect(await host.storage.countBufferedMessages(host.clock.now())).to.equal(0);
  });

  it('should buffer an event for runs that wait later, and record the resumed runs', async () => {
    // given
    const key = randomUUID();
    const one = await host.startRun('one', { key });
    const answer = await deliver(host, 'paid', key, { bufferForMs: HOUR, idempotencyKey: key });
    const waiting = await deliver(host, 'paid', `${key}-later`, { bufferForMs: HOUR });
    expect([answer.resumedRunIds, answer.buffered, waiting.buffered]).to.deep.equal([[one], true, true]);
    expect((await requireInboundEvent(host, waiting.eventId)).status).to.equal('buffered');

    // when
    const two = await secondHost.startRun('two', { key });
    const later = await secondHost.startRun('two', { key: `${key}-later` });
    await Promise.all([host.waitUntilEnded(two), host.waitUntilEnded(later)]);

    // then
    expect((await requireInboundEvent(host, answer.eventId)).resumedRunIds).to.have.members([one, two]);
    expect(await requireInboundEvent(host, waiting.eventId)).to.deep.include({
      status: 'matched',
      resumedRunIds: [later],
    });
    expect((await deliver(secondHost, 'paid', key, { idempotencyKey: key })).resumedRunIds).to.have.members([one, two]);
  });

  it('should mark a buffered event as expired, and deliver the event again on request', async () => {
    // given
    const key = randomUUID();
    const operator = { actor: { type: 'user', id: 'otto', name: 'Otto' }, from: null, traceId: null } as const;
    const engine = host.server.host.get(EnginePort);
    const redeliverEvent = (eventId: string) => engine.redeliverEvent({ eventId, context: operator });
    const { eventId } = await deliver(host, 'paid', key, { bufferForMs: HOUR, payload: { late: true } });
    expect(await rejectionCode(redeliverEvent(eventId))).to.equal('inbound_event_not_redeliverable');

    // when
    host.clock.setTo(host.clock.time + HOUR);
    await host.storage.expireMessages(host.clock.now(), 0, 100);
    expect((await requireInboundEvent(host, eventId)).status).to.equal('expired');
    expect(await redeliverEvent(eventId)).to.deep.include({ resumedRunIds: [] });
    const runId = await host.startRun('one', { key });
    const answers = await Promise.allSettled([
      redeliverEvent(eventId),
      secondHost.server.host.get(EnginePort).redeliverEvent({ eventId, context: operator }),
    ]);

    // then
    expect(answers.filter(({ status }) => status === 'fulfilled')).to.have.length.at.least(1);
    expect(await host.receivedPayloads(runId)).to.deep.equal([{ late: true }]);
    expect(await requireInboundEvent(host, eventId)).to.deep.include({ status: 'matched', resumedRunIds: [runId] });
    expect(await rejectionCode(redeliverEvent(eventId))).to.equal('inbound_event_not_redeliverable');
    expect(await rejectionCode(redeliverEvent(randomUUID()))).to.equal('inbound_event_not_found');
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
        expiresAt: now + HOUR,
        fromOutbox: false,
      },
      60_000,
    );

    // when
    const answer = await deliver(host, 'paid', key, { payload: { n: 2 } });

    // then
    expect(answer.resumedRunIds).to.deep.equal([]);
    expect(await host.receivedPayloads(runId)).to.deep.equal([{ n: 1 }]);
  });

  it('should count equal refusals within a minute in one record, without their payload', async () => {
    // given: a minute that has just started
    host.clock.setTo(Math.ceil(host.clock.time / MINUTE) * MINUTE);
    const use = host.server.host.get(ReceiveInboundEvent);
    const refused = { via: 'test', from: '192.0.2.9', traceId: null };
    for (let n = 0; n < 50; n += 1) use.recordRefusal({ ...refused, source: null, code: 'invalid_signature' });
    use.recordRefusal({ ...refused, source: 'shop', code: 'message_not_allowed', messageName: 'paid' });
    await use.flush();
    use.recordRefusal({ ...refused, source: null, code: 'invalid_signature' });
    await use.flush();

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
