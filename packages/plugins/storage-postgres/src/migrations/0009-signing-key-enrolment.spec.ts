import { createTestDatabase, type TestDatabase } from '@countersign/embedded-postgres';
import { expect } from 'chai';
import pg from 'pg';
import { migrate } from '../migrate.js';
import { failureOf } from '../storage.spec.support.js';
import { MIGRATIONS } from './index.js';

describe('migration 0009-signing-key-enrolment', () => {
  let database: TestDatabase;
  let client: pg.Client;

  beforeEach(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.connectionString });
    await client.connect();
  });

  afterEach(async () => {
    await client.end();
    await database.drop();
  });

  const register = (keyId: string) =>
    client.query(
      `INSERT INTO signing_keys (key_id, subject, name, public_key, proof, created_at) VALUES ($1, 'ada', 'Laptop', 'x', 'a.b.c', now())`,
      [keyId],
    );

  it('should leave keys of before valid, and nothing that a server of an earlier version registers from then on', async () => {
    // given
    await migrate(database.connectionString, {
      migrations: MIGRATIONS.slice(
        0,
        MIGRATIONS.findIndex(({ name }) => name === '0009-signing-key-enrolment'),
      ),
    });
    await register('earlier');
    await client.query(`UPDATE signing_keys SET revoked_at = now(), revoked_by = 'ada'`);

    // when
    await migrate(database.connectionString);
    await register('later');

    // then
    const { rows } = await client.query('SELECT key_id, enrolled_by_method FROM signing_keys ORDER BY key_id');
    expect(rows).to.deep.equal([
      { key_id: 'earlier', enrolled_by_method: 'unproven' },
      { key_id: 'later', enrolled_by_method: null },
    ]);
    expect(
      (await failureOf(client.query(`UPDATE signing_keys SET enrolled_by_method = 'admin' WHERE key_id = 'earlier'`)))
        .message,
    ).to.include('kept');
    await client.query(
      `UPDATE signing_keys SET enrolled_by_method = 'admin', enrolled_by = 'root', enrolled_at = now() WHERE key_id = 'later'`,
    );
    expect(
      (await failureOf(client.query(`UPDATE signing_keys SET enrolled_by = 'eve' WHERE key_id = 'later'`))).message,
    ).to.include('kept');
  });
});
