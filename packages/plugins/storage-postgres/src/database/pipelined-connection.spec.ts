import { createTestDatabase, type TestDatabase } from '@countersign/embedded-postgres';
import { expect } from 'chai';
import pg from 'pg';
import { captureError } from '../storage.spec.support.js';
import { buildConnectionOptions } from './connection-options.js';
import { isLockTimeout, PipelinedConnection } from './pipelined-connection.js';

const buildStatement = (text: string, name?: string) => ({ text, values: [], ...(name === undefined ? {} : { name }) });
const SELECT_PID = buildStatement('SELECT pg_backend_pid() AS pid', 'pid');
const createClient = (options: pg.ClientConfig): pg.Client => new pg.Client(options);

describe('PipelinedConnection', () => {
  let database: TestDatabase;
  let client: pg.Client;
  let losses: Error[];
  let connection: PipelinedConnection;

  beforeEach(async () => {
    database = await createTestDatabase();
    const options = buildConnectionOptions(database.connectionString);
    client = new pg.Client(options);
    await client.connect();
    await client.query('CREATE TABLE rows AS SELECT n AS id, 0 AS value FROM generate_series(1, 2) n');
    losses = [];
    connection = new PipelinedConnection(options, (error) => losses.push(error), createClient);
  });

  afterEach(async () => {
    await connection.close();
    await client.end();
    await database.drop();
  });

  const loadPid = async (): Promise<unknown> => (await connection.query(SELECT_PID)).rows[0]?.['pid'];
  const loadValues = async (): Promise<unknown> =>
    (await client.query('SELECT array_agg(value ORDER BY id) AS values FROM rows')).rows[0];

  it('should return the result of each statement that is sent together over one connection', async () => {
    const [firstPid, secondPid, lastResult] = await Promise.all([
      loadPid(),
      loadPid(),
      connection.query(buildStatement('SELECT 3 AS three')),
    ]);

    expect(secondPid).to.equal(firstPid);
    expect(lastResult.rows).to.eql([{ three: 3 }]);
    expect(await loadPid()).to.equal(firstPid);
  });

  it('should execute the statement after a failed one, even if neither is prepared yet', async () => {
    const failingStatement = buildStatement('UPDATE rows SET value = 1 / (id - 2)', 'broken');
    const results = await Promise.allSettled([
      connection.query(failingStatement),
      connection.query(failingStatement),
      connection.query(buildStatement('UPDATE rows SET value = 5 WHERE id = 2', 'fine')),
    ]);

    expect(results.map(({ status }) => status)).to.eql(['rejected', 'rejected', 'fulfilled']);
    expect(await loadValues()).to.eql({ values: [0, 5] });
    expect((await captureError(connection.query(failingStatement))).code).to.equal('22012');
    expect(losses).to.eql([]);
  });

  it('should abort a statement that waits for a lock, and execute the next statements', async () => {
    await client.query('BEGIN; UPDATE rows SET value = 1 WHERE id = 1');

    const results = await Promise.allSettled([
      connection.query(buildStatement('UPDATE rows SET value = value + 10 WHERE id = 1')),
      connection.query(buildStatement('UPDATE rows SET value = 20 WHERE id = 2')),
      connection.query(buildStatement('UPDATE rows SET value = value + 1 WHERE id = 2')),
    ]);
    await client.query('COMMIT');

    expect(results.map(({ status }) => status)).to.eql(['rejected', 'fulfilled', 'fulfilled']);
    expect(isLockTimeout((results[0] as PromiseRejectedResult).reason)).to.equal(true);
    expect(await loadValues()).to.eql({ values: [1, 21] });
  });

  it('should fail the statements in progress when the connection is lost, and reconnect', async () => {
    const pidBefore = await loadPid();
    const pendingQueries = ['SELECT pg_sleep(60)', 'SELECT 1'].map((text) =>
      captureError(connection.query(buildStatement(text))),
    );
    const SELECT_BACKEND = 'SELECT FROM pg_stat_activity WHERE pid = $1';
    await client.query('SELECT pg_terminate_backend($1)', [pidBefore]);
    await Promise.all(pendingQueries);
    for (;;) if ((await client.query(SELECT_BACKEND, [pidBefore])).rowCount === 0) break;

    expect(await loadPid()).to.not.equal(pidBefore);
    expect(losses).to.have.length(1);
  });

  it('should report why it cannot connect, and try to connect again for the next statement', async () => {
    const missing = new URL(database.connectionString);
    missing.pathname = '/missing_database';
    const unreachable = new PipelinedConnection(
      buildConnectionOptions(missing.href),
      (error) => losses.push(error),
      createClient,
    );

    for (let attempt = 0; attempt < 2; attempt += 1)
      expect((await captureError(unreachable.query(SELECT_PID))).message).to.match(/"missing_database" does not exist/);
    expect(losses).to.eql([]);
    await unreachable.close();
  });

  it('should finish the statements in progress on close, and refuse new ones', async () => {
    const pendingQueries = [loadPid(), connection.query(buildStatement('UPDATE rows SET value = 7 RETURNING id'))];

    await connection.close();

    expect(await Promise.all(pendingQueries)).to.have.length(2);
    expect(await loadValues()).to.eql({ values: [7, 7] });
    expect((await captureError(connection.query(SELECT_PID))).message).to.equal('The connection is closed.');
    expect(losses).to.eql([]);
  });

  it('should close immediately if it was never used', async () => {
    await new PipelinedConnection(
      { host: 'never-contacted.invalid' },
      (error) => losses.push(error),
      createClient,
    ).close();

    expect(losses).to.eql([]);
  });
});
