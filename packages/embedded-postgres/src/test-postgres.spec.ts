import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { query, startSleepingQuery } from './embedded.spec.support.js';
import { createTestDatabase } from './test-postgres.js';

describe('createTestDatabase', function () {
  this.timeout(60_000);

  it('should create isolated databases', async () => {
    // given
    const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);

    // when
    await query(one.connectionString, 'CREATE TABLE mine (id int)');

    // then
    expect(await query(other.connectionString, "SELECT to_regclass('mine') AS found")).to.deep.equal([{ found: null }]);
    await Promise.all([one.drop(), other.drop()]);
  });

  it('should drop a database that is still in use', async () => {
    // given
    const database = await createTestDatabase();
    const { ended } = await startSleepingQuery(database.connectionString);

    // when
    await database.drop();

    // then
    expect(await ended).to.equal('57P01');
    expect(await query(database.connectionString, 'SELECT 1').catch((error: { code: string }) => error.code)).to.equal(
      '3D000',
    );
  });

  it('should create databases from a template that is prepared once', async () => {
    // given
    let prepareCount = 0;
    const template = {
      name: `spec_${randomBytes(6).toString('hex')}`,
      async prepare(connectionString: string) {
        prepareCount += 1;
        await query(connectionString, 'CREATE TABLE kept AS SELECT 1 AS one');
      },
    };

    // when
    const databases = await Promise.all([
      createTestDatabase(template),
      createTestDatabase(template),
      createTestDatabase(template),
    ]);

    // then
    expect(prepareCount).to.equal(1);
    for (const { connectionString, drop } of databases) {
      expect(await query(connectionString, 'SELECT one FROM kept')).to.deep.equal([{ one: 1 }]);
      await drop();
    }
  });

  it('should discard a template whose preparation failed, and allow another attempt', async () => {
    // given
    const name = `spec_broken_${randomBytes(6).toString('hex')}`;
    const createFailingDatabase = () =>
      createTestDatabase({ name, prepare: () => Promise.reject(new Error('a migration failed')) });
    expect(await createFailingDatabase().catch((error: Error) => error.message)).to.equal('a migration failed');

    // when
    const database = await createTestDatabase({
      name,
      prepare: (connectionString) => query(connectionString, 'SELECT 1').then(() => undefined),
    });

    // then
    expect(
      await query(
        database.connectionString,
        "SELECT count(*)::int AS left FROM pg_database WHERE datname LIKE 'unfinished%'",
      ),
    ).to.deep.equal([{ left: 0 }]);
    await database.drop();
  });
});
