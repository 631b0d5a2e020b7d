import { expect } from 'chai';
import knex, { type Knex } from 'knex';
import type pg from 'pg';
import type { RunFilter } from '@countersign/core/ports';
import { buildConnectionOptions } from '../database/connection-options.js';
import { createTestStorage, type TestStorage } from '../storage.spec.support.js';
import { explain } from '../queries/many-rows.spec.support.js';
import { buildPageStatement } from '../queries/page-statement.js';
import { buildRunQuery } from '../queries/run-queries.js';

/** Number of parent runs. Their child runs wait for an approval, but every hundredth child run is active. */
const PARENT_COUNT = 4_000;
const LIMIT = 20;
/** Number of parent runs that are scanned together with their child runs. */
const WINDOW = 1_000;

const buildId = (kind: number, n: string) =>
  `(lpad(to_hex(1750000000000 + ${n} * 1000::bigint), 12, '0') || '70008${kind}' || lpad(to_hex(${n}), 14, '0'))::uuid`;

/** Returns the SQL that inserts a run for each `n` of `from`, with its waits and its number of pending approvals. */
const buildInsert = (id: string, status: string, waits: string, pending: string, from: string) => `
  INSERT INTO runs SELECT ${id}, 'workflow', 1, 'sha256:x', ${status}, NULL, false, NULL, ${pending}, 0, 0, ${waits}, 'low', NULL,
    to_timestamp(1750000000 + n), 'ada', to_timestamp(1750000000 + n), NULL, NULL, NULL, 1, '{}', '', 1, '' FROM ${from}`;
const buildChildWait = (childRunId: string) =>
  `jsonb_build_object('kind', 'event', 'stepId', ${childRunId}, 'elementId', 'call', 'since', n, 'childRunId', ${childRunId})`;
const APPROVAL = `'[{"kind": "approval", "since": 1}]'::jsonb`;

describe(`pages among ${PARENT_COUNT} runs with child runs`, function () {
  this.timeout(60_000);
  let test: TestStorage;
  let client: pg.Client;
  let database: Knex;

  before(async () => {
    test = await createTestStorage();
    client = await test.connect();
    database = knex({
      client: 'pg',
      connection: buildConnectionOptions(test.connectionString) as Knex.PgConnectionConfig,
      pool: { min: 0, max: 1 },
    });
    // An autovacuum would prevent dropping the database, because only a superuser may stop it.
    await client.query('ALTER TABLE runs SET (autovacuum_enabled = false)');
    const numbers = `generate_series(1, ${PARENT_COUNT}) n`;
    await client.query(
      buildInsert(buildId(1, 'n'), `'blocked'`, `jsonb_build_array(${buildChildWait(buildId(2, 'n'))})`, '0', numbers),
    );
    await client.query(
      buildInsert(
        buildId(2, 'n'),
        `CASE WHEN n % 100 = 0 THEN 'active' ELSE 'blocked' END`,
        `CASE WHEN n % 100 = 0 THEN '[]' ELSE ${APPROVAL} END`,
        '(n % 100 > 0)::int',
        numbers,
      ),
    );
    await client.query('VACUUM (ANALYZE) runs');
  });

  after(async () => {
    await database.destroy();
    await test.dispose();
  });

  async function loadPages(filter: RunFilter): Promise<string[][]> {
    const pages: string[][] = [];
    for (let cursor: string | undefined; pages.length === 0 || cursor !== undefined;) {
      const { items, nextCursor } = await test.storage.listRuns(filter, {
        limit: LIMIT,
        ...(cursor === undefined ? {} : { cursor }),
      });
      pages.push(items.map(({ runId }) => runId));
      cursor = nextCursor ?? undefined;
    }
    return pages;
  }

  async function countRowsRead(filter: RunFilter): Promise<number> {
    const { sql, bindings } = buildPageStatement(buildRunQuery(filter), undefined, LIMIT);
    const native = database.raw(sql, bindings).toSQL().toNative();
    const { scans, rowsRead } = await explain(client, native.sql, native.bindings);
    expect(
      scans.filter((scan) => scan.startsWith('all of')),
      scans.join(),
    ).to.eql([]);
    return rowsRead;
  }

  it('should list runs that are active through a child run, once each and in order, on few pages', async () => {
    // when
    const pages = await loadPages({ status: 'active' });

    // then
    const { rows } = await client.query<{ id: string }>(
      `SELECT ${buildId(1, 'n')} AS id FROM generate_series(100, ${PARENT_COUNT}, 100) n UNION SELECT ${buildId(2, 'n')} FROM generate_series(100, ${PARENT_COUNT}, 100) n ORDER BY 1 DESC`,
    );
    expect(pages.flat()).to.eql(rows.map(({ id }) => id));
    expect(pages.length).to.be.at.most(PARENT_COUNT / WINDOW + rows.length / LIMIT + 1);
  });

  it('should apply the status and waitingFor filters together to the state of child runs', async () => {
    expect((await loadPages({ status: 'blocked', waitingFor: 'approval' })).flat()).to.have.length(
      2 * (PARENT_COUNT - PARENT_COUNT / 100),
    );
    expect((await loadPages({ status: 'failed' })).flat()).to.eql([]);
    expect((await loadPages({ status: 'active', waitingFor: 'approval' })).flat()).to.eql([]);
  });

  // A page reads one row more than it returns, and the child runs of each row.
  for (const [filter, maxRuns] of [
    [{}, 2 * (LIMIT + 1)],
    [{ workflowId: 'workflow' }, 2 * (LIMIT + 1)],
    [{ status: 'blocked' }, 5 * (LIMIT + 1)],
    [{ waitingFor: 'approval' }, 5 * (LIMIT + 1)],
    [{ status: 'active' }, 2 * WINDOW + 5 * (LIMIT + 1)],
    // The run after which the next page starts is also assembled.
    [{ status: 'failed' }, 2 * WINDOW + 2],
    // The active child runs may be stuck, but have just started.
    [{ needsAttention: { stuckSince: 0 } }, 2 * WINDOW + 2 + PARENT_COUNT / 100],
    [{ waitingFor: 'timer' }, 2 * WINDOW + 2],
  ] as const) {
    it(`should read at most ${maxRuns} runs for ${JSON.stringify(filter)}`, async () => {
      expect(await countRowsRead(filter)).to.be.within(1, maxRuns);
    });
  }

  it('should look up child runs only for the runs of the page that have any', async () => {
    // given
    const { sql, bindings } = buildPageStatement(buildRunQuery({ workflowId: 'workflow' }), undefined, LIMIT);
    const native = database.raw(sql, bindings).toSQL().toNative();
    const page = await client.query<{ filed_under: string }>(native.sql, [...native.bindings]);
    const parentCount = page.rows.filter(({ filed_under: filed }) => filed === 'calling').length;
    expect(parentCount).to.be.within(1, page.rows.length - 1);

    // then
    expect((await explain(client, native.sql, native.bindings)).recursions).to.equal(parentCount);
  });

  it('should derive the state of a run from up to 10,000 child runs with 1,000 of their waits, and show it as active beyond that', async () => {
    // given
    const id = 'ffffffff-0000-7000-8000-000000000001';
    const buildWaits = (count: number) =>
      `(SELECT jsonb_agg(${buildChildWait(buildId(3, 'n'))} ORDER BY n) FROM generate_series(1, ${count}) n)`;
    await client.query(buildInsert(buildId(3, 'n'), `'blocked'`, APPROVAL, '1', 'generate_series(1, 10001) n'));
    await client.query(buildInsert(`'${id}'`, `'blocked'`, buildWaits(10_000), '0', 'generate_series(0, 0) n'));
    const loadDisplayedRun = async () => (await test.storage.findRun(id))?.displayedRun;

    // then
    expect(await loadDisplayedRun())
      .to.include({ status: 'blocked', pendingApprovals: 10_000 })
      .and.have.property('waitingFor')
      .with.length(1_000);
    await client.query(`UPDATE runs SET waiting_for = ${buildWaits(10_001)} WHERE run_id = '${id}'`);
    expect(await loadDisplayedRun()).to.include({ status: 'active' });
    expect((await test.storage.listRuns({ status: 'active' }, { limit: 1 })).items[0]).to.include({ runId: id });
    await client.query(
      `DELETE FROM runs WHERE run_id = '${id}' OR run_id IN (SELECT ${buildId(3, 'n')} FROM generate_series(1, 10001) n)`,
    );
  });
});
