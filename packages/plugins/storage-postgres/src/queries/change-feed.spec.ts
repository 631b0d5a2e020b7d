import { expect } from 'chai';
import type pg from 'pg';
import type { Change } from '@countersign/core/ports';
import { createTestStorage, captureError, type TestStorage } from '../storage.spec.support.js';
import { uuidV7 } from '../uuid-v7.js';
import { CHANGES_AFTER } from './change-feed.js';

describe('change feed on PostgreSQL', () => {
  let test: TestStorage;
  let runId: string;

  beforeEach(async () => {
    test = await createTestStorage();
    runId = uuidV7(Date.UTC(2026, 0, 5));
    const client = await test.connect();
    await client.query(
      `INSERT INTO workflow_versions (workflow_id, version, digest, elements, bpmn_xml, deployed_at, deployed_by) VALUES ('w', 1, 'd', '[]', '', now(), 'ada')`,
    );
    await client.query(
      `INSERT INTO runs VALUES ($1, 'w', 1, 'd', 'active', NULL, false, NULL, 0, 0, 0, '[]', 'low', NULL, now(), 'ada', now(), NULL, NULL, NULL, 1, '{}', '', 0, '')`,
      [runId],
    );
  });

  afterEach(() => test.dispose());

  const write = (client: pg.Client, seq: number) =>
    client.query(`INSERT INTO run_events (run_id, seq, at, type, data, hash) VALUES ($1, $2, now(), 'x', '{}', '')`, [
      runId,
      seq,
    ]);

  /** Reads the feed until the change `seq` arrives. Transactions of other specs on this server may delay it. */
  async function readUntil(
    from: string,
    seq: number,
    seen: number[] = [],
  ): Promise<{ position: string; seen: number[] }> {
    let position = from;
    for (;;) {
      const page = await test.storage.listChangesAfter(position, 2);
      position = page.position;
      seen.push(...page.changes.map((change: Change) => change.seq));
      if (seen.includes(seq)) return { position, seen };
    }
  }

  /** Returns the id of a new transaction, later than all committed ones, in the hexadecimal form of positions. */
  async function getNextTransactionId(client: pg.Client): Promise<string> {
    const { rows } = await client.query<{ txid: string }>('SELECT pg_current_xact_id()::text AS txid');
    return BigInt(rows[0]!.txid).toString(16).padStart(16, '0');
  }

  /** Waits for a position after `txid` and returns it. Transactions of other specs on this server may delay it. */
  async function waitForPositionAfter(txid: string): Promise<string> {
    for (;;) {
      const position = await test.storage.getFeedPosition();
      if (position > txid) return position;
    }
  }

  it('should never skip a change whose transaction starts earlier and commits later than another', async () => {
    const [slow, quick] = [await test.connect(), await test.connect()];
    const start = await test.storage.getFeedPosition();
    await slow.query('BEGIN');
    await write(slow, 1);
    await write(quick, 2);

    // The feed withholds concurrent commits until the open transaction ends; otherwise the position would skip it.
    const pageDuringTransaction = await test.storage.listChangesAfter(start, 10);
    expect(pageDuringTransaction.changes).to.eql([]);
    const position = await test.storage.getFeedPosition();
    await slow.query('COMMIT');

    for (const from of [start, pageDuringTransaction.position, position])
      expect((await readUntil(from, 2)).seen).to.eql([1, 2]);
  });

  it('should return each change exactly once while writers overlap', async () => {
    const clients = await Promise.all([1, 2, 3].map(() => test.connect()));
    const position = await test.storage.getFeedPosition();
    const written = clients.map(async (client, index) => {
      for (let n = 0; n < 15; n += 1) {
        await client.query('BEGIN');
        await write(client, index * 1000 + n * 2 + 1);
        await write(client, index * 1000 + n * 2 + 2);
        await client.query('COMMIT');
      }
    });
    const seen: number[] = [];
    let readPosition = position;
    let done = false;
    const all = Promise.all(written).then(() => (done = true));
    while (!done) {
      const page = await test.storage.listChangesAfter(readPosition, 3);
      readPosition = page.position;
      seen.push(...page.changes.map(({ seq }) => seq));
    }
    await all;
    await write(clients[0]!, 9999);
    await readUntil(readPosition, 9999, seen);

    expect(seen).to.have.length(91);
    expect(new Set(seen).size).to.equal(91);
  });

  it('should not wait for transactions that were rolled back or only read', async () => {
    const [reader, aborted] = [await test.connect(), await test.connect()];
    await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await reader.query('SELECT count(*) FROM run_events');
    const start = await test.storage.getFeedPosition();
    await aborted.query('BEGIN');
    await write(aborted, 1);
    await aborted.query('ROLLBACK');
    await write(aborted, 2);

    expect((await readUntil(start, 2)).seen).to.eql([2]);
    await reader.query('COMMIT');
  });

  it('should refuse a position ahead of the database', async () => {
    const position = await test.storage.getFeedPosition();
    expect((await captureError(test.storage.listChangesAfter(`0fff${position.slice(4)}`, 1))).code).to.equal(
      'invalid_cursor',
    );
  });

  it('should use the index to read after a position, and skip transactions outside the gaps', async () => {
    const client = await test.connect();
    await client.query(
      `INSERT INTO run_events (run_id, seq, at, type, data, hash) SELECT $1, n, now(), 'x', '{}', '' FROM generate_series(1, 20000) n`,
      [runId],
    );
    const position = await waitForPositionAfter(await getNextTransactionId(client));
    for (let seq = 20_001; seq <= 20_005; seq += 1) await write(client, seq);
    await readUntil(position, 20_005);
    await client.query('ANALYZE run_events');
    // The settings of the feed connections: one generic plan for every position.
    await client.query(
      `SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; PREPARE changes AS ${CHANGES_AFTER}`,
    );

    const written = await client.query<{ txid: string }>(
      'SELECT txid::text AS txid FROM run_events WHERE seq > 20000 ORDER BY seq',
    );
    const [, second, , fourth] = written.rows.map(({ txid }) => BigInt(txid));
    const from = BigInt(`0x${position.slice(0, 16)}`);
    const gaps = `'{${from},${fourth! + 1n}}', '{${second!},18446744073709551615}'`;

    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) EXECUTE changes(${from}::text::xid8, '${runId}', 0, 100, ${gaps})`,
    );

    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    // The scan runs once per gap and finds the first and the fifth change.
    expect(plan).to.match(/Index Scan using run_events_by_txid on run_events e \(actual rows=1\S* loops=2\)/);
    expect(plan).to.match(/Index Cond: \(\(txid >= gap\.first\)/);
  });

  it('should read only as many gaps as are needed to fill a page', async () => {
    // given
    const client = await test.connect();
    const from = BigInt(`0x${(await test.storage.getFeedPosition()).slice(0, 16)}`);
    for (let transaction = 0; transaction < 12; transaction += 1) {
      await client.query(
        `INSERT INTO run_events (run_id, seq, at, type, data, hash) SELECT $1, n, now(), 'x', '{}', '' FROM generate_series($2::int, $2 + 49) n`,
        [runId, 1 + transaction * 50],
      );
    }
    await waitForPositionAfter(await getNextTransactionId(client));
    await client.query('ANALYZE run_events');
    const written = await client.query<{ txid: string }>(
      'SELECT DISTINCT txid::text AS txid FROM run_events ORDER BY txid',
    );
    const txids = written.rows.map(({ txid }) => BigInt(txid)).sort((a, b) => (a < b ? -1 : 1));
    const toArrayLiteral = (values: readonly bigint[]) => `'{${values.join(',')}}'`;

    // when
    await client.query(
      `SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; PREPARE changes AS ${CHANGES_AFTER}`,
    );
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) EXECUTE changes(${from}::text::xid8, '${runId}', 0, 50, ${toArrayLiteral(txids)}, ${toArrayLiteral(txids.map((txid) => txid + 1n))})`,
    );

    // then
    const scanLoops = /Index Scan using run_events_by_txid on run_events e \(actual rows=\S+ loops=(\d+)\)/.exec(
      rows.map((row) => row['QUERY PLAN']).join('\n'),
    )?.[1];
    expect(txids).to.have.length(12);
    expect(Number(scanLoops)).to.be.within(1, 2);
  });
});
