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

  const set = (subject: string, substitute: string | null = 'bob', setBy = 'root', until = 9) =>
    client.query(
      `INSERT INTO absences VALUES ($1, gen_random_uuid(), $2, now() - interval '99 hours', now() + $4 * interval '1 hour', clock_timestamp(), $3)`,
      [subject, substitute, setBy, until],
    );
  const name = (id: string, userName: string) => client.query('INSERT INTO user_names VALUES ($1, $2)', [id, userName]);
  const found = async () =>
    (await client.query('SELECT subject, substitute FROM absences ORDER BY subject')).rows.map((row) =>
      Object.values(row as object),
    );

  it('should give those under the user name of one person to the person, the last one that is not over', async () => {
    // given
    for (const id of ['ada', 'cem', 'eli']) await name(`u-${id}`, `${id}@example.com`);
    for (const id of ['u-1', 'u-2']) await name(id, 'team@example.com');
    await name('u-dan', 'dan');
    await client.query(`INSERT INTO principals (principal_id, type) VALUES ('dan', 'user')`);
    await set('ADA@example.com', 'eve');
    await set('Ada@example.com', 'Ada@Example.COM');
    await set('ada@example.com', 'bob', 'root', -1);
    await set('cem@example.com');
    await set('u-cem', null, 'u-cem');
    await set('u-eli', null, 'u-eli', -1);
    await set('eli@example.com');
    for (const subject of ['team@example.com', 'finn@example.com', 'dan']) await set(subject);
    const { rows: before } = await client.query('SELECT absence_id FROM absences WHERE subject = $1', [
      'eli@example.com',
    ]);

    // when
    await migrate(database.connectionString);

    // then
    expect(await found()).to.deep.equal([
      ['ADA@example.com', 'eve'],
      ['ada@example.com', 'bob'],
      ['cem@example.com', 'bob'],
      ['dan', 'bob'],
      ['finn@example.com', 'bob'],
      ['team@example.com', 'bob'],
      ['u-ada', null],
      ['u-cem', null],
      ['u-eli', 'bob'],
    ]);
    const { rows: after } = await client.query(`SELECT absence_id FROM absences WHERE subject = 'u-eli'`);
    expect(after).to.deep.equal(before);
  });
});
