import { SettingsTestFailure } from '@countersign/core/plugin';
import { expect } from 'chai';
import type { PostgresConfiguration } from './configuration.js';
import { DatabaseTest } from './database-test.js';
import { PostgresDatabase } from './database/postgres-database.js';
import { createTestStorage, captureError, type TestStorage } from './storage.spec.support.js';

const MINUTE_MS = 60_000;

describe('DatabaseTest', () => {
  let test: TestStorage;
  let database: PostgresDatabase;

  before(async () => {
    test = await createTestStorage();
    database = new PostgresDatabase();
    database.open({ connectionString: test.connectionString, poolSize: 2 });
  });

  after(async () => {
    await database.close();
    await test.dispose();
  });

  /** Returns the database with a clock that is ahead by `byMs`. */
  const createDatabaseWithClockAhead = (byMs: number): PostgresDatabase => {
    const query = async (sql: string) => {
      const { rows } = await database.pool.query<{ now: number }>(sql);
      return { rows: rows.map(({ now }) => ({ now: now + byMs })) };
    };
    return { pool: { query } } as unknown as PostgresDatabase;
  };

  const compareClocks = async (testedDatabase: PostgresDatabase, maxOffsetMs: number): Promise<string> => {
    const configuration = { MaxClockOffset: maxOffsetMs } as PostgresConfiguration;
    const check = new DatabaseTest(testedDatabase, configuration)
      .checks()
      .find(({ name }) => name === 'the clocks agree');
    if (check === undefined) throw new Error('The test "the clocks agree" does not exist.');
    return (await check.run()) ?? '';
  };

  it('should fail when the clocks differ by more than MaxClockOffset', async () => {
    // given
    const skewedDatabase = createDatabaseWithClockAhead(MINUTE_MS);

    // when
    const failure = await captureError(compareClocks(skewedDatabase, MINUTE_MS / 2));

    // then
    expect(failure).to.be.instanceOf(SettingsTestFailure);
    expect(failure.message).to.contain('more than Storage:Postgres:MaxClockOffset allows');
  });

  it('should pass when the clocks differ by less than MaxClockOffset', async () => {
    expect(await compareClocks(createDatabaseWithClockAhead(MINUTE_MS), MINUTE_MS * 2)).to.match(/^Within \d+ ms\.$/);
  });
});
