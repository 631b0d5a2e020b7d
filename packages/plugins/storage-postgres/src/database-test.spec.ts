import { SettingsTestFailure } from '@countersign/core/plugin';
import { expect } from 'chai';
import type { PostgresConfiguration } from './configuration.js';
import { DatabaseTest } from './database-test.js';
import { PostgresDatabase } from './database/postgres-database.js';
import { createTestStorage, failureOf, type TestStorage } from './storage.spec.support.js';

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

  const compareClocks = (maxOffsetMs: number): Promise<string | undefined> => {
    const configuration = { MaxClockOffset: maxOffsetMs } as PostgresConfiguration;
    const checks = new DatabaseTest(database, configuration).checks();
    return checks.find(({ name }) => name === 'the clocks agree')?.run() ?? Promise.resolve(undefined);
  };

  it('should allow as much difference between the clocks as is configured, and no more', async () => {
    // given: the clock of this machine, which is that of its database as well
    expect(await compareClocks(60_000)).to.match(/^Within \d+ ms\.$/);

    // when: not even none is allowed
    const failure = await failureOf(compareClocks(-1));

    // then
    expect(failure).to.be.instanceOf(SettingsTestFailure);
    expect(failure.message).to.contain('fires no timers');
  });
});
