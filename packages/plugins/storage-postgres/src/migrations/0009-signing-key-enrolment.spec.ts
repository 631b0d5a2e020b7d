import { expect } from 'chai';
import { captureError } from '../storage.spec.support.js';
import { createDatabaseBeforeMigration, type DatabaseBeforeMigration } from './migration.spec.support.js';

describe('migration 0009-signing-key-enrolment', () => {
  let database: DatabaseBeforeMigration;

  beforeEach(async () => {
    database = await createDatabaseBeforeMigration('0009-signing-key-enrolment');
  });

  afterEach(() => database.drop());

  const register = (keyId: string) =>
    database.client.query(
      `INSERT INTO signing_keys (key_id, subject, name, public_key, proof, created_at) VALUES ($1, 'ada', 'Laptop', 'x', 'a.b.c', now())`,
      [keyId],
    );

  it('should mark existing keys as unproven, but not keys that an older server registers after the migration', async () => {
    // given
    await register('earlier');
    await database.client.query(`UPDATE signing_keys SET revoked_at = now(), revoked_by = 'ada'`);

    // when
    await database.migrate();
    await register('later');

    // then
    const { rows } = await database.client.query('SELECT key_id, enrolled_by_method FROM signing_keys ORDER BY key_id');
    expect(rows).to.deep.equal([
      { key_id: 'earlier', enrolled_by_method: 'unproven' },
      { key_id: 'later', enrolled_by_method: null },
    ]);
    expect(
      (
        await captureError(
          database.client.query(`UPDATE signing_keys SET enrolled_by_method = 'admin' WHERE key_id = 'earlier'`),
        )
      ).message,
    ).to.include('kept');
    await database.client.query(
      `UPDATE signing_keys SET enrolled_by_method = 'admin', enrolled_by = 'root', enrolled_at = now() WHERE key_id = 'later'`,
    );
    expect(
      (await captureError(database.client.query(`UPDATE signing_keys SET enrolled_by = 'eve' WHERE key_id = 'later'`)))
        .message,
    ).to.include('kept');
  });
});
