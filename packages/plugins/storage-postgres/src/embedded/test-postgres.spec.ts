import { expect } from 'chai';
import { query } from './embedded.spec.support.js';
import { createTestDatabase } from './test-postgres.js';

describe('createTestDatabase', function () {
  this.timeout(60_000);

  it('should make databases that know nothing of each other', async () => {
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
    const busy = query(database.connectionString, 'SELECT pg_sleep(600)').catch((error: { code: string }) => error.code);
    await query(database.connectionString, 'SELECT 1');

    // when
    await database.drop();

    // then
    expect(await busy).to.be.oneOf(['57P01', '3D000']);
    expect(await query(database.connectionString, 'SELECT 1').catch((error: { code: string }) => error.code)).to.equal('3D000');
  });
});
