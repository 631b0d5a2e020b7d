import { expect } from 'chai';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../embedded/index.js';
import { failureOf } from '../storage.spec.support.js';
import { connectionOptions } from './connection-options.js';
import { PipelinedConnection } from './pipelined-connection.js';

const statement = (text: string, name?: string) => ({ text, values: [], ...(name === undefined ? {} : { name }) });
const PID = statement('SELECT pg_backend_pid() AS pid', 'pid');

describe('PipelinedConnection', () => {
  let database: TestDatabase;
  let others: pg.Pool;
  let client: pg.Client;
  let losses: Error[];
  let connection: PipelinedConnection;

  beforeEach(async () => {
    database = await createTestDatabase();
    const options = connectionOptions(database.connectionString);
    others = new pg.Pool({ ...options, max: 2 });
    client = new pg.Client(options);
    await client.connect();
    await client.query('CREATE TABLE rows AS SELECT n AS id, 0 AS value FROM generate_series(1, 2) n');
    losses = [];
    connection = new PipelinedConnection(options, others, (error) => losses.push(error));
  });

  afterEach(async () => {
    await connection.close();
    await Promise.all([others.end(), client.end()]);
    await database.drop();
  });

  const pid = async (): Promise<unknown> => (await connection.query(PID)).rows[0]?.['pid'];
  const values = async (): Promise<unknown> =>
    (await client.query('SELECT array_agg(value ORDER BY id) AS values FROM rows')).rows[0];

  it('should answer each statement of one connection, though they are sent together', async () => {
    const [one, two, three] = await Promise.all([pid(), pid(), connection.query(statement('SELECT 3 AS three'))]);

    expect(two).to.equal(one);
    expect(three.rows).to.eql([{ three: 3 }]);
    expect(await pid()).to.equal(one);
  });

  it('should keep what stands beside a statement that fails, also where both are the first by their name', async () => {
    const broken = statement('UPDATE rows SET value = 1 / (id - 2)', 'broken');
    const results = await Promise.allSettled([
      connection.query(broken),
      connection.query(broken),
      connection.query(statement('UPDATE rows SET value = 5 WHERE id = 2', 'fine')),
    ]);

    expect(results.map(({ status }) => status)).to.eql(['rejected', 'rejected', 'fulfilled']);
    expect(await values()).to.eql({ values: [0, 5] });
    expect((await failureOf(connection.query(broken))).code).to.equal('22012');
    expect(losses).to.eql([]);
  });

  it('should not hold others up while a statement waits for a lock', async () => {
    await client.query('BEGIN; UPDATE rows SET value = 1 WHERE id = 1');
    let isDone = false;
    const waiting = connection
      .query(statement('UPDATE rows SET value = value + 10 WHERE id = 1 RETURNING value'))
      .finally(() => (isDone = true));
    await connection.query(statement('UPDATE rows SET value = 20 WHERE id = 2'));
    await connection.query(statement('UPDATE rows SET value = value + 1 WHERE id = 2'));
    expect(isDone).to.equal(false);

    await client.query('COMMIT');

    expect((await waiting).rows).to.eql([{ value: 11 }]);
    expect(await values()).to.eql({ values: [11, 21] });
    // Less than the time after which any connection gives up waiting.
  }).timeout(10_000);

  it('should tell whoever is under way of a loss, and begin anew', async () => {
    const before = await pid();
    const underWay = ['SELECT pg_sleep(60)', 'SELECT 1'].map((text) => failureOf(connection.query(statement(text))));
    const gone = 'SELECT FROM pg_stat_activity WHERE pid = $1';
    await client.query('SELECT pg_terminate_backend($1)', [before]);
    await Promise.all(underWay);
    for (;;) if ((await client.query(gone, [before])).rowCount === 0) break;

    expect(await pid()).to.not.equal(before);
    expect(losses).to.have.length(1);
  });

  it('should say why it can not connect, and try again with the next statement', async () => {
    const missing = new URL(database.connectionString);
    missing.pathname = '/not_there';
    const nowhere = new PipelinedConnection(connectionOptions(missing.href), others, (error) => losses.push(error));

    for (let attempt = 0; attempt < 2; attempt += 1)
      expect((await failureOf(nowhere.query(PID))).message).to.match(/"not_there" does not exist/);
    expect(losses).to.eql([]);
    await nowhere.close();
  });

  it('should finish what is under way when it is closed, and take nothing more', async () => {
    const underWay = [pid(), connection.query(statement('UPDATE rows SET value = 7 RETURNING id'))];

    await connection.close();

    expect(await Promise.all(underWay)).to.have.length(2);
    expect(await values()).to.eql({ values: [7, 7] });
    expect((await failureOf(connection.query(PID))).message).to.equal('The connection is closed.');
    expect(losses).to.eql([]);
  });

  it('should be closed at once while it was never used', async () => {
    await new PipelinedConnection({ host: 'not-asked.invalid' }, others, (error) => losses.push(error)).close();

    expect(losses).to.eql([]);
  });
});
