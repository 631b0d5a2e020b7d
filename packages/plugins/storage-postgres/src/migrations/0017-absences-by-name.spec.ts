import { createTestDatabase, type TestDatabase } from '@countersign/embedded-postgres';
import { expect } from 'chai';
import pg from 'pg';
import { migrate } from '../migrate.js';
import { MIGRATIONS } from './index.js';

describe('migration 0017-absences-by-name', () => {
  let database: TestDatabase;
  let client: pg.Client;

  beforeEach(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.connectionString });
    await client.connect();
    await migrate(database.connectionString, {
      migrations: MIGRATIONS.slice(
        0,
        MIGRATIONS.findIndex(({ name }) => name === '0017-absences-by-name'),
      ),
    });
  });

  afterEach(async () => {
    await client.end();
    await database.drop();
  });

  const set = (subject: string, substitute: string | null = 'bob', setBy = 'root', hoursAgo = 1) =>
    client.query(
      `INSERT INTO absences VALUES ($1, gen_random_uuid(), $2, now() - interval '9 hours', now() + interval '9 hours', now() - $4 * interval '1 hour', $3)`,
      [subject, substitute, setBy, hoursAgo],
    );
  const name = (id: string, userName: string) => client.query('INSERT INTO user_names VALUES ($1, $2)', [id, userName]);
  const found = async () =>
    (await client.query('SELECT subject, substitute, awaits_sign_in FROM absences ORDER BY subject')).rows.map((row) =>
      Object.values(row as object),
    );

  it('should give those under the user name of one person to the person, the last one, and have others wait', async () => {
    // given
    await name('u-ada', 'ada@example.com');
    await name('u-cem', 'cem@example.com');
    for (const id of ['u-1', 'u-2']) await name(id, 'team@example.com');
    await client.query(`INSERT INTO principals (principal_id, type) VALUES ('dan', 'user')`);
    await set('ADA@example.com', 'eve');
    await set('Ada@example.com', 'Ada@Example.COM', 'root', 0);
    await set('cem@example.com');
    await set('u-cem', null, 'u-cem', 5);
    for (const subject of ['team@example.com', 'finn@example.com', 'dan']) await set(subject);
    await set('gil', 'bob', 'gil');
    const { rows: before } = await client.query<{ absence_id: string }>('SELECT absence_id FROM absences');

    // when
    await migrate(database.connectionString);

    // then
    expect(await found()).to.deep.equal([
      ['ADA@example.com', 'eve', true],
      ['cem@example.com', 'bob', true],
      ['dan', 'bob', false],
      ['finn@example.com', 'bob', true],
      ['gil', 'bob', false],
      ['team@example.com', 'bob', true],
      ['u-ada', null, false],
      ['u-cem', null, false],
    ]);
    const { rows: after } = await client.query<{ absence_id: string }>(
      `SELECT absence_id FROM absences WHERE subject = 'u-ada'`,
    );
    expect(before.map((row) => row.absence_id)).not.to.include(after[0]?.absence_id);
  });

  it('should leave all as they are where nobody has a user name', async () => {
    await set('finn');
    await migrate(database.connectionString);
    expect(await found()).to.deep.equal([['finn', 'bob', false]]);
  });
});
