import { seconds } from '@countersign/model/testing';
import type { OutboundDelivery } from '@countersign/core/ports';
import type { AuditEntry } from '@countersign/model';
import { expect } from 'chai';
import type pg from 'pg';
import { PostgresDatabase } from '../database/postgres-database.js';
import { createTestStorage, type TestStorage } from '../storage.spec.support.js';
import { uuidV7 } from '../uuid-v7.js';
import { PostgresDeliveries } from './postgres-deliveries.js';

const LEASE_MS = 60_000;
const FIVE_DAYS_MS = 5 * 86_400_000;

describe('PostgresDeliveries', () => {
  let test: TestStorage;
  let database: PostgresDatabase;
  let deliveries: PostgresDeliveries;
  let sql: pg.Client;

  before(async () => {
    test = await createTestStorage();
    database = new PostgresDatabase();
    database.open({ connectionString: test.connectionString, poolSize: 4 });
    deliveries = new PostgresDeliveries(database);
    sql = await test.connect();
  });

  beforeEach(() => sql.query('TRUNCATE outbound_deliveries, troubled_endpoints'));

  after(async () => {
    await database.close();
    await test.dispose();
  });

  const accept = async (overrides: Partial<OutboundDelivery> = {}) => {
    const delivery = {
      deliveryId: uuidV7(Date.UTC(2026, 0, 5)),
      runId: uuidV7(Date.UTC(2026, 0, 5)),
      elementId: 'notify',
      endpointId: 'ops',
      contentType: 'application/json',
      body: '{"a":1}',
      ...overrides,
    };
    await deliveries.accept(delivery);
    return delivery;
  };
  const claim = (maxDeliveries = 10, endpointId = 'ops') => deliveries.claim([{ endpointId, maxDeliveries }], LEASE_MS);
  const claimOne = async () => {
    const [claimed] = await claim();
    if (claimed === undefined) throw new Error('No delivery is due.');
    return claimed;
  };
  const failedAttempt = {
    endpointId: 'ops',
    statusCode: 500,
    error: 'http_status_500',
    retryInMs: 5_000,
    disableAfterMs: FIVE_DAYS_MS,
  };
  const successfulAttempt = {
    endpointId: 'ops',
    statusCode: 200,
    error: null,
    retryInMs: null,
    disableAfterMs: FIVE_DAYS_MS,
  };
  const advanceTime = (interval: string) =>
    sql.query(`UPDATE outbound_deliveries SET next_attempt_at = next_attempt_at - interval '${interval}'`);
  const audit: AuditEntry = {
    at: Date.UTC(2026, 0, 5),
    actor: { type: 'user', id: 'op', name: 'Op' },
    action: 'outbound_delivery.redeliver',
    target: {},
    result: 'ok',
    from: null,
    data: {},
  };

  it('should keep the first delivery for a delivery id', async () => {
    const { deliveryId } = await accept();
    await accept({ deliveryId, body: 'another' });

    const claimed = await claim();
    expect(claimed).to.have.length(1);
    expect(claimed[0]).to.include({ deliveryId, body: '{"a":1}', attempts: 0, epoch: 1 });
  });

  it('should give each delivery to only one of several concurrent claims while the lease is valid', async () => {
    for (let count = 0; count < 20; count += 1) await accept();

    const claimed = (await Promise.all([claim(10), claim(10), claim(10), claim(10)])).flat();

    expect(new Set(claimed.map(({ deliveryId }) => deliveryId)).size).to.equal(claimed.length);
    expect([...claimed, ...(await claim(50))]).to.have.length(20);
    expect(await claim()).to.deep.equal([]);
  });

  it('should skip a delivery that another session has locked, without waiting', async () => {
    const [lockedDelivery, unlockedDelivery] = [await accept(), await accept()];
    await sql.query('BEGIN');
    await sql.query('SELECT FROM outbound_deliveries WHERE delivery_id = $1 FOR UPDATE', [lockedDelivery.deliveryId]);

    const claimed = await Promise.race([
      claim(),
      // eslint-disable-next-line no-restricted-syntax -- a time limit that detects a waiting claim
      new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), seconds(5)).unref()),
    ]);
    await sql.query('ROLLBACK');

    expect(claimed?.map(({ deliveryId }) => deliveryId)).to.deep.equal([unlockedDelivery.deliveryId]);
  });

  it('should allow another claim after the lease expires, and refuse the result of the first claim', async () => {
    // given
    const { deliveryId } = await accept();
    const first = await claimOne();
    await advanceTime('61 seconds');

    // when
    const second = await claimOne();

    // then
    expect(second).to.include({ deliveryId, epoch: first.epoch + 1 });
    expect(await deliveries.record({ ...successfulAttempt, deliveryId, epoch: first.epoch })).to.equal(false);
    expect(await deliveries.find(deliveryId)).to.include({ status: 'pending', attempts: 0 });
    expect(await deliveries.record({ ...successfulAttempt, deliveryId, epoch: second.epoch })).to.equal(true);
    expect(await deliveries.find(deliveryId)).to.include({
      status: 'delivered',
      attempts: 1,
      statusCode: 200,
      error: null,
      nextAttemptAt: null,
    });
    expect(await deliveries.record({ ...successfulAttempt, deliveryId, epoch: second.epoch })).to.equal(false);
  });

  it('should claim no more deliveries of an endpoint than requested', async () => {
    for (let count = 0; count < 3; count += 1) {
      await accept({ endpointId: 'slow' });
      await accept({ endpointId: 'fast' });
    }

    const claimed = await deliveries.claim(
      [
        { endpointId: 'slow', maxDeliveries: 1 },
        { endpointId: 'fast', maxDeliveries: 5 },
      ],
      LEASE_MS,
    );

    expect(claimed.map(({ endpointId }) => endpointId).sort()).to.deep.equal(['fast', 'fast', 'fast', 'slow']);
  });

  it('should retry a failed delivery after the pause, and fail it permanently if no pause is given', async () => {
    const { deliveryId } = await accept();

    await deliveries.record({ ...failedAttempt, deliveryId, epoch: (await claimOne()).epoch });
    expect(await claim()).to.deep.equal([]);
    expect(await deliveries.find(deliveryId)).to.include({
      status: 'pending',
      held: false,
      attempts: 1,
      error: 'http_status_500',
    });

    await advanceTime('5 seconds');
    await deliveries.record({ ...failedAttempt, deliveryId, epoch: (await claimOne()).epoch, retryInMs: null });
    await advanceTime('1 year');
    expect(await deliveries.find(deliveryId)).to.include({ status: 'failed', attempts: 2, nextAttemptAt: null });
    expect(await claim()).to.deep.equal([]);
  });

  it('should hold deliveries to a disabled endpoint until a redelivery by an operator succeeds', async () => {
    // given
    const failedDelivery = await accept();
    await deliveries.record({
      ...failedAttempt,
      deliveryId: failedDelivery.deliveryId,
      epoch: (await claimOne()).epoch,
      statusCode: 410,
      disableAfterMs: 0,
    });
    const heldDelivery = await accept();
    await advanceTime('1 day');
    expect(await claim()).to.deep.equal([]);
    expect(await deliveries.find(heldDelivery.deliveryId)).to.include({ status: 'pending', held: true });
    expect(
      (await deliveries.failingEndpoints()).map(({ endpointId, disabledAt }) => [endpointId, typeof disabledAt]),
    ).to.deep.equal([['ops', 'number']]);

    // when: an operator requests a redelivery, which is attempted once and fails
    expect(await deliveries.redeliver(failedDelivery.deliveryId, audit)).to.include({
      status: 'pending',
      held: false,
      attempts: 0,
    });
    await deliveries.record({
      ...failedAttempt,
      deliveryId: failedDelivery.deliveryId,
      epoch: (await claimOne()).epoch,
    });
    await advanceTime('1 day');
    expect(await claim()).to.deep.equal([]);

    // then: after a successful redelivery, the held deliveries are sent
    await deliveries.redeliver(failedDelivery.deliveryId, audit);
    await deliveries.record({
      ...successfulAttempt,
      deliveryId: failedDelivery.deliveryId,
      epoch: (await claimOne()).epoch,
    });
    expect(await deliveries.failingEndpoints()).to.deep.equal([]);
    expect(await claimOne()).to.include({ deliveryId: heldDelivery.deliveryId });
  });

  it('should disable an endpoint after five days of failures without a success', async () => {
    const attempt = async (result: typeof failedAttempt | typeof successfulAttempt) => {
      const { deliveryId } = await accept();
      await deliveries.record({ ...result, deliveryId, epoch: (await claimOne()).epoch });
    };
    const getDisabledFlags = async () =>
      (await deliveries.failingEndpoints()).map(({ disabledAt }) => disabledAt !== null);
    const ageFailures = (interval: string) =>
      sql.query(`UPDATE troubled_endpoints SET failing_since = failing_since - interval '${interval}'`);

    await attempt(failedAttempt);
    await ageFailures('4 days');
    await attempt(failedAttempt);
    expect(await getDisabledFlags()).to.deep.equal([false]);
    await attempt(successfulAttempt);
    await attempt(failedAttempt);
    await ageFailures('4 days');
    await attempt(failedAttempt);
    expect(await getDisabledFlags()).to.deep.equal([false]);
    await ageFailures('1 day');
    await attempt(failedAttempt);
    expect(await getDisabledFlags()).to.deep.equal([true]);
  });

  it('should refuse the result of an attempt that an operator has replaced by a redelivery, and audit the redelivery', async () => {
    const { deliveryId } = await accept();
    const { epoch } = await claimOne();

    await deliveries.redeliver(deliveryId, audit);

    expect(await deliveries.record({ ...successfulAttempt, deliveryId, epoch })).to.equal(false);
    expect(await claimOne()).to.include({ deliveryId });
    const { rows } = await sql.query(`SELECT actor_id FROM audit_events WHERE action = 'outbound_delivery.redeliver'`);
    expect(rows.at(-1)).to.deep.equal({ actor_id: 'op' });
    for (const unknown of [uuidV7(1), 'nonsense', ''])
      expect(await deliveries.redeliver(unknown, audit), unknown).to.equal(undefined);
  });

  it('should list deliveries by filter and page, newest first', async () => {
    const allDeliveries: OutboundDelivery[] = [];
    for (let count = 0; count < 5; count += 1)
      allDeliveries.unshift(await accept({ endpointId: count % 2 === 0 ? 'even' : 'odd' }));
    const getIds = (listedDeliveries: readonly { readonly deliveryId: string }[]) =>
      listedDeliveries.map(({ deliveryId }) => deliveryId);

    const first = await deliveries.list({}, { limit: 3 });
    const second = await deliveries.list({}, { limit: 3, cursor: first.nextCursor ?? '' });

    expect([...getIds(first.items), ...getIds(second.items)]).to.deep.equal(getIds(allDeliveries));
    expect(second.nextCursor).to.equal(null);
    expect(first.items[0]).not.to.have.property('body');
    const list = async (filter: object) => getIds((await deliveries.list(filter, { limit: 10 })).items);
    expect(await list({ endpointId: 'odd' })).to.deep.equal(
      getIds(allDeliveries.filter(({ endpointId }) => endpointId === 'odd')),
    );
    expect(await list({ runId: allDeliveries[0]?.runId, status: 'pending' })).to.deep.equal(
      getIds(allDeliveries.slice(0, 1)),
    );
    expect(await list({ status: 'failed' })).to.deep.equal([]);
    expect(await list({ runId: 'nonsense' })).to.deep.equal([]);
  });

  it('should delete ended deliveries after the retention, and never pending ones', async () => {
    const [ended, open] = [await accept(), await accept({ endpointId: 'other' })];
    await deliveries.record({ ...successfulAttempt, deliveryId: ended.deliveryId, epoch: (await claimOne()).epoch });
    await sql.query(
      `UPDATE outbound_deliveries SET accepted_at = now() - interval '1 year', ended_at = ended_at - interval '2 days'`,
    );

    expect(await deliveries.deleteOlderThan(3 * 86_400_000)).to.equal(0);
    expect(await deliveries.deleteOlderThan(86_400_000)).to.equal(1);
    expect(await deliveries.find(ended.deliveryId)).to.equal(undefined);
    expect(await deliveries.find(open.deliveryId)).to.include({ status: 'pending' });
  });
});
