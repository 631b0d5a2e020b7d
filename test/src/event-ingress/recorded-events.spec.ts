import type { Client } from '@countersign/contract';
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { waitUntil } from '@countersign/testing';
import { expectProblem } from '../http/http.spec.support.js';
import { buildEvent, Ingress, SECRET, buildSignedRequest } from './ingress.spec.support.js';

describe('recorded inbound events', () => {
  let ingress: Ingress;
  let otto: Client;

  before(async () => {
    ingress = await Ingress.create([
      { Id: 'patient', Secret: SECRET, BufferFor: { 'ci.passed': 'PT1H' } },
      { Id: 'mute', Secret: SECRET, AllowedMessageNames: [] },
    ]);
    otto = await ingress.server.client('operator', 'otto');
  });

  after(() => ingress.close());

  const sendEvent = async (key: string, options: Parameters<typeof buildSignedRequest>[1] = {}): Promise<string> =>
    String(
      (await ingress.post(buildSignedRequest(buildEvent(key, 'ci.passed', { build: 7 }), options))).body['eventId'],
    );

  it('should list events with their status, newest first, with filters and pages', async () => {
    // given
    const key = randomUUID();
    const runId = await ingress.startWaitingRun(key);
    const matched = await sendEvent(key, { delivery: `d-${key}` });
    await sendEvent(key, { delivery: `d-${key}` });
    const unmatched = await sendEvent(key);
    const buffered = await sendEvent(`${key}-later`, { source: 'patient' });

    // when
    const { items } = await otto.listInboundEvents();

    // then
    expect(items.slice(0, 3).map(({ eventId, status }) => `${status} ${eventId}`)).to.deep.equal([
      `buffered ${buffered}`,
      `unmatched ${unmatched}`,
      `matched ${matched}`,
    ]);
    expect(items[2]).to.deep.include({
      via: 'event-ingress',
      source: 'shop',
      deliveryId: `d-${key}`,
      messageName: 'ci.passed',
      correlationKey: key,
      runIds: [runId],
      startedRunIds: [],
      repeats: 1,
      code: null,
      from: '127.0.0.1',
    });
    expect(items[0]).to.not.have.property('payload');
    for (const [query, ids] of [
      [{ status: 'matched' }, [matched]],
      [{ status: 'unmatched', source: 'shop' }, [unmatched]],
      [{ status: 'buffered', messageName: 'ci.passed', via: 'event-ingress' }, [buffered]],
      [{ status: 'duplicate' }, [matched]],
      [{ status: 'duplicate', source: 'patient' }, []],
      [{ source: 'patient' }, [buffered]],
      [{ via: 'elsewhere' }, []],
      [{ messageName: 'ci.failed' }, []],
    ] as const) {
      expect(
        (await otto.listInboundEvents(query)).items.map(({ eventId }) => eventId),
        JSON.stringify(query),
      ).to.deep.equal(ids);
    }
    const firstPage = await otto.listInboundEvents({ limit: 2 });
    const secondPage = await otto.listInboundEvents({ limit: 2, cursor: firstPage.nextCursor ?? expect.fail() });
    expect([...firstPage.items, ...secondPage.items]).to.deep.equal(items);
  });

  it('should show an event with its payload to operators only', async () => {
    const key = randomUUID();
    const eventId = await sendEvent(key);

    expect(await otto.getInboundEvent({ eventId })).to.deep.include({
      eventId,
      status: 'unmatched',
      payload: { build: 7 },
    });
    expect(await expectProblem(otto.getInboundEvent({ eventId: randomUUID() }))).to.include({
      status: 404,
      code: 'inbound_event_not_found',
    });
    const vera = await ingress.server.client('viewer', 'vera');
    for (const call of [
      () => vera.listInboundEvents(),
      () => vera.getInboundEvent({ eventId }),
      () => vera.redeliverInboundEvent({ eventId }),
    ])
      expect(await expectProblem(call())).to.include({ status: 403, code: 'forbidden' });
  });

  it('should record refused deliveries without their content or the names of unknown senders', async () => {
    // given
    const canary = `canary-${randomUUID()}`;
    for (let count = 0; count < 20; count += 1)
      await ingress.post(buildSignedRequest(buildEvent(canary), { source: `${canary}-${count}`, delivery: canary }));
    await ingress.post(buildSignedRequest(buildEvent(canary), { secret: canary }));
    await ingress.post(buildSignedRequest(buildEvent(canary), { source: 'mute', delivery: canary }));
    await ingress.post(buildSignedRequest(Buffer.from(canary)));

    // when
    const items = await waitUntil('the refusals are counted', async () => {
      const found = (await otto.listInboundEvents({ status: 'refused' })).items;
      return found.reduce((sum, { repeats }) => sum + repeats + 1, 0) >= 23 && found;
    });

    // then: refusals are grouped by minute, and a minute may end between two of the requests
    const kinds = items.map(({ source, code, messageName }) =>
      `${source ?? 'nobody'} ${code ?? ''} ${messageName ?? ''}`.trim(),
    );
    expect([...new Set(kinds)].sort()).to.deep.equal([
      'mute message_not_allowed ci.passed',
      'nobody invalid_signature',
      'shop invalid_event',
      'shop invalid_signature',
    ]);
    expect(items.length).to.be.at.most(8);
    expect(JSON.stringify(items)).to.not.include(canary);
    for (const { eventId } of items) {
      expect(await otto.getInboundEvent({ eventId })).to.deep.include({
        payload: null,
        deliveryId: null,
        correlationKey: null,
        bodyDigest: null,
      });
      expect(await expectProblem(otto.redeliverInboundEvent({ eventId }))).to.include({
        status: 409,
        code: 'inbound_event_not_redeliverable',
      });
    }
  });

  it('should redeliver an unmatched event once per idempotency key, and record it in the audit trail', async () => {
    // given
    const key = randomUUID();
    const eventId = await sendEvent(key);
    const idempotencyKey = randomUUID();
    expect(await otto.redeliverInboundEvent({ eventId })).to.include({ status: 'unmatched' });
    const [runId, otherRunId] = [await ingress.startWaitingRun(key), await ingress.startWaitingRun(key)];

    // when
    const redelivery = await otto.redeliverInboundEvent({ eventId }, { idempotencyKey });
    const repeatedResponse = await otto.redeliverInboundEvent({ eventId }, { idempotencyKey });

    // then
    expect(redelivery).to.deep.include({ status: 'matched', runIds: [runId], payload: { build: 7 } });
    expect(repeatedResponse).to.deep.equal(redelivery);
    expect(await expectProblem(otto.redeliverInboundEvent({ eventId }))).to.include({
      status: 409,
      code: 'inbound_event_not_redeliverable',
    });
    expect(
      await expectProblem(otto.redeliverInboundEvent({ eventId: await sendEvent(randomUUID()) }, { idempotencyKey })),
    ).to.include({ status: 422, code: 'idempotency_key_reused' });
    expect((await ingress.requireRun(runId)).outcome).to.equal('completed');
    expect((await ingress.requireRun(otherRunId)).outcome).to.equal(null);
    const root = await ingress.server.client('admin', 'root');
    const auditedActions = (await root.listAuditEvents({ actor: 'otto' })).items.filter(
      ({ action, target }) => action !== 'run.start' && (target?.id === eventId || target?.id === runId),
    );
    expect(
      auditedActions
        .map(({ action, result, data }) => `${action} ${result} ${String(data['code'] ?? '')}`.trim())
        .sort(),
    ).to.deep.equal([
      'inboundEvent.redeliver ok',
      'inboundEvent.redeliver ok',
      'inboundEvent.redeliver refused inbound_event_not_redeliverable',
      'message.correlate ok',
    ]);
  });

  it('should accept one of several concurrent redeliveries of an event', async () => {
    const key = randomUUID();
    const eventId = await sendEvent(key);
    const runIds = await Promise.all([1, 2, 3].map(() => ingress.startWaitingRun(key)));

    const results = await Promise.allSettled([1, 2, 3, 4].map(() => otto.redeliverInboundEvent({ eventId })));

    expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
    const outcomes = await Promise.all(runIds.map(async (runId) => (await ingress.requireRun(runId)).outcome));
    expect(outcomes.filter((outcome) => outcome === 'completed')).to.have.length(1);
  });

  it('should refuse to redeliver an event and leave it unchanged if the run refuses its payload', async () => {
    // given
    const key = randomUUID();
    const { body } = await ingress.post(buildSignedRequest(buildEvent(key, 'review.started', { approval: 'approve' })));
    const runId = await ingress.startWaitingRun(key, 'approving');
    const eventId = String(body['eventId']);

    // when
    const problem = await expectProblem(otto.redeliverInboundEvent({ eventId }));

    // then
    expect(problem).to.include({ status: 422, code: 'result_variable_reserved' });
    expect(await otto.getInboundEvent({ eventId })).to.include({ status: 'unmatched' });
    expect((await ingress.requireRun(runId)).waitingFor.map(({ kind }) => kind)).to.deep.equal(['event']);
  });
});
