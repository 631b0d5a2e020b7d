import { expect } from 'chai';
import pg from 'pg';
import type { AuditEntry } from '@countersign/model';
import { waitUntil } from '@countersign/model/testing';
import { deleteOldResponses } from './delete-old-responses.js';
import { deleteOldEvents } from './inbound-events/delete-old-events.js';
import { createTestStorage, type TestStorage } from './storage.spec.support.js';

const entry = (id: string, name: string | null): AuditEntry => ({
  at: Date.UTC(2026, 0, 5),
  actor: { type: 'user', id, name },
  action: 'run.start',
  target: {},
  result: 'ok',
  from: null,
  data: {},
});

describe('PostgresStorage', () => {
  let test: TestStorage;
  let client: pg.Client;

  beforeEach(async () => {
    test = await createTestStorage();
    client = await test.connect();
  });

  afterEach(() => test.dispose());

  it('should reconnect after the loss of its connections', async () => {
    // The query excludes connections of PostgreSQL itself, for example of autovacuum.
    const { rows } = await Promise.all([test.storage.check(), test.storage.getFeedPosition()]).then(() =>
      client.query<{ pid: number }>(
        `SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND usename = current_user`,
      ),
    );
    expect(rows.length).to.be.at.least(2);
    const pids = rows.map(({ pid }) => pid);
    await waitUntil('the terminated connections are gone', async () => {
      const { rowCount } = await client.query('SELECT FROM pg_stat_activity WHERE pid = ANY($1::int[])', [pids]);
      return rowCount === 0;
    });

    // The pool may hand out a connection before it notices that the connection has ended, so one failure per connection
    // is acceptable.
    const retry = (work: () => Promise<unknown>, attempts = 5): Promise<unknown> =>
      work().catch((error: unknown) => (attempts > 1 ? retry(work, attempts - 1) : Promise.reject(error as Error)));
    await retry(() => test.storage.check());
    await retry(() => test.storage.getFeedPosition());
    await retry(() => test.storage.appendAudit([entry('ada', null)]));
  });

  it('should set its application name and a statement timeout', async () => {
    await test.storage.check();
    const { rows } = await client.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'countersign'`,
    );
    expect(rows.length).to.be.at.least(2);
    expect(
      (await client.query<{ statement_timeout: string }>('SHOW statement_timeout')).rows[0]?.statement_timeout,
    ).to.equal('30s');
  });

  it('should not change the type parsers of the driver for the host application', () => {
    expect(pg.types.getTypeParser(20, 'text')('5')).to.equal('5');
    expect(pg.types.getTypeParser(1184, 'text')('2026-01-01 00:00:00+00')).to.be.instanceOf(Date);
  });

  it('should return times with millisecond precision for any time zone of the database', async () => {
    const { rows: names } = await client.query<{ name: string }>('SELECT current_database() AS name');
    await client.query(`ALTER DATABASE ${names[0]!.name} SET timezone = 'Asia/Kathmandu'`);
    const secondClient = await test.connect();
    const { rows } = await secondClient.query<{ at: number; text: string }>(
      `SELECT $1::timestamptz AS at, $1::timestamptz::text AS text`,
      ['2026-03-29T01:30:00.123Z'],
    );
    expect(rows[0]).to.eql({ at: Date.UTC(2026, 2, 29, 1, 30, 0, 123), text: '2026-03-29 01:30:00.123+00' });
  });

  it('should store each principal once, with its last known name', async () => {
    await test.storage.appendAudit([entry('ada', 'Ada'), entry('bob', null), entry('ada', 'Ada')]);
    await test.storage.appendAudit([entry('bob', 'Bob'), entry('ada', null)]);
    const { rows } = await client.query('SELECT principal_id, type, name FROM principals ORDER BY principal_id');
    expect(rows).to.eql([
      { principal_id: 'ada', type: 'user', name: 'Ada' },
      { principal_id: 'bob', type: 'user', name: 'Bob' },
    ]);
  });

  it('should delete stored responses that are older than the retention, in batches', async () => {
    await client.query(
      `INSERT INTO idempotency_keys SELECT 'ada', 'old-' || n, 'd', '{}', now() - interval '25 hours' FROM generate_series(1, 4500) n`,
    );
    await client.query(
      `INSERT INTO idempotency_keys SELECT 'ada', 'new-' || n, 'd', '{}', now() - interval '23 hours' FROM generate_series(1, 3) n`,
    );

    expect(
      await deleteOldResponses(client as unknown as Parameters<typeof deleteOldResponses>[0], 24 * 3_600_000),
    ).to.equal(4500);

    expect(await test.storage.findStoredResponses([{ scope: 'ada', key: 'old-1' }])).to.eql([undefined]);
    expect((await client.query('SELECT FROM idempotency_keys')).rowCount).to.equal(3);
  });

  it('should delete inbound events that are older than the retention, in batches, except buffered ones', async () => {
    const [now, dayMs] = [Date.UTC(2026, 0, 5), 24 * 3_600_000];
    const insert = (count: number, age: number, status: string) =>
      client.query(
        `INSERT INTO inbound_events (event_id, via, source, idempotency_key, status, received_at)
         SELECT (lpad(to_hex($1::bigint), 12, '0') || '7000a' || left(md5(n::text || $2), 15))::uuid, 'test', $2, n, $2, now() FROM generate_series(1, $3) n`,
        [now - age, status, count],
      );
    await insert(4500, 2 * dayMs, 'matched');
    await insert(2, 2 * dayMs, 'buffered');
    await insert(3, dayMs / 2, 'unmatched');

    expect(await deleteOldEvents(client as unknown as Parameters<typeof deleteOldEvents>[0], now - dayMs)).to.equal(
      4500,
    );

    expect((await client.query('SELECT FROM inbound_events')).rowCount).to.equal(5);
  });

  it('should refuse to change or delete history', async () => {
    await test.storage.appendAudit([entry('ada', 'Ada')]);
    for (const statement of [
      'DELETE FROM audit_events',
      'TRUNCATE audit_events',
      `UPDATE audit_events SET action = 'x'`,
      'DELETE FROM run_events',
      'UPDATE run_events SET seq = 1',
      `UPDATE definitions SET name = 'x'`,
      'DELETE FROM definitions',
    ]) {
      const failure = await client.query(statement).catch((error: unknown) => error as Error);
      expect(failure, statement).to.be.instanceOf(Error).with.property('message').that.includes('only added to');
    }
    // An erasure removes the private parts and keeps the commitment.
    await client.query('UPDATE audit_events SET actor = NULL, salt = NULL, "from" = NULL');
  });
});
