import { createTestDatabase, type TestDatabase } from '@countersign/embedded-postgres';
import { expect } from 'chai';
import pg from 'pg';
import { captureError } from '../storage.spec.support.js';
import { buildConnectionOptions } from './connection-options.js';
import { isLockTimeout, PipelinedConnection } from './pipelined-connection.js';

const statement = (text: string, name?: string) => ({ text, values: [], ...(name === undefined ? {} : { name }) });
const PID = statement('SELECT pg_backend_pid() AS pid', 'pid');
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

  const pid = async (): Promise<unknown> => (await connection.query(PID)).rows[0]?.['pid'];
  const values = async (): Promise<unknown> =>
    (await client.query('SELECT array_agg(value ORDER BY id) AS values FROM rows')).rows[0];

  it('should return the result of each statement that is sent together over one connection', async () => {
    const [one, two, three] = await Promise.all([pid(), pid(), connection.query(statement('SELECT 3 AS three'))]);

    expect(two).to.equal(one);
    expect(three.rows).to.eql([{ three: 3 }]);
    expect(await pid()).to.equal(one);
  });

  it('should execute the statement after a failed one, even if neither is prepared yet', async () => {
    const broken = statement('UPDATE rows SET value = 1 / (id - 2)', 'broken');
    const results = await Promise.allSettled([
      connection.query(broken),
      connection.query(broken),
      connection.query(statement('UPDATE rows SET value = 5 WHERE id = 2', 'fine')),
    ]);

    expect(results.map(({ status }) => status)).to.eql(['rejected', 'rejected', 'fulfilled']);
    expect(await values()).to.eql({ values: [0, 5] });
    expect((await captureError(connection.query(broken))).code).to.equal('22012');
    expect(losses).to.eql([]);
  });

  it('should abort a statement that waits for a lock, and execute the next statements', async () => {
    await client.query('BEGIN; UPDATE rows SET value = 1 WHERE id = 1');

    const results = await Promise.allSettled([
      connection.query(statement('UPDATE rows SET value = value + 10 WHERE id = 1')),
      connection.query(statement('UPDATE rows SET value = 20 WHERE id = 2')),
      connection.query(statement('UPDATE rows SET value = value + 1 WHERE id = 2')),
    ]);
    await client.query('COMMIT');

    expect(results.map(({ status }) => status)).to.eql(['rejected', 'fulfilled', 'fulfilled']);
    expect(isLockTimeout((results[0] as PromiseRejectedResult).reason)).to.equal(true);
    expect(await values()).to.eql({ values: [1, 21] });
  });

  it('should fail the statements in progress when the connection is lost, and reconnect', async () => {
    const before = await pid();
    const pendingQueries = ['SELECT pg_sleep(60)', 'SELECT 1'].map((text) =>
      captureError(connection.query(statement(text))),
    );
    const SELECT_BACKEND = 'SELECT FROM pg_stat_activity WHERE pid = $1';
    await client.query('SELECT pg_terminate_backend($1)', [before]);
    await Promise.all(pendingQueries);
    for (;;) if ((await client.query(SELECT_BACKEND, [before])).rowCount === 0) break;

    expect(await pid()).to.not.equal(before);
    expect(losses).to.have.length(1);
  });

  it('should report why it cannot connect, and try again for the next statement', async () => {
    const missing = new URL(database.connectionString);
    missing.pathname = '/not_there';
    const unreachable = new PipelinedConnection(
      buildConnectionOptions(missing.href),
      (error) => losses.push(error),
      createClient,
    );

    for (let attempt = 0; attempt < 2; attempt += 1)
      expect((await captureError(unreachable.query(PID))).message).to.match(/"not_there" does not exist/);
    expect(losses).to.eql([]);
    await unreachable.close();
  });

  it('should finish the statements in progress on close, and refuse new ones', async () => {
    const pendingQueries = [pid(), connection.query(statement('UPDATE rows SET value = 7 RETURNING id'))];

    await connection.close();

    expect(await Promise.all(pendingQueries)).to.have.length(2);
    expect(await values()).to.eql({ values: [7, 7] });
    expect((await captureError(connection.query(PID))).message).to.equal('The connection is closed.');
    expect(losses).to.eql([]);
  });

  it('should close immediately if it was never used', async () => {
    await new PipelinedConnection({ host: 'not-asked.invalid' }, (error) => losses.push(error), createClient).close();

    expect(losses).to.eql([]);
  });
});
