import { expect } from 'chai';
import { createDatabaseBeforeMigration, type DatabaseBeforeMigration } from './migration.spec.support.js';

describe('migration 0024-people', () => {
  let database: DatabaseBeforeMigration;

  beforeEach(async () => {
    database = await createDatabaseBeforeMigration('0024-people');
  });

  afterEach(() => database.drop());

  it('should forget a person whom a server of the previous version erases', async () => {
    // given: a person who has signed in before and after the migration
    const { client } = database;
    await client.query("INSERT INTO user_name_sources VALUES ('ada', now()), ('bea', now())");
    await database.migrate();
    await client.query(
      `INSERT INTO people (principal_id, may_decide, issued_at, sort_name, search_text)
       SELECT id, true, now(), id, id FROM unnest(ARRAY['ada', 'bea']) AS id`,
    );
    await client.query("INSERT INTO people_groups VALUES ('ada', 'board', 'board'), ('bea', 'board', 'board')");

    // when
    await client.query("DELETE FROM user_name_sources WHERE principal_id = 'ada'");

    // then
    expect((await client.query('SELECT principal_id FROM people')).rows).to.deep.equal([{ principal_id: 'bea' }]);
    expect((await client.query('SELECT principal_id, group_name FROM people_groups')).rows).to.deep.equal([
      { principal_id: 'bea', group_name: 'board' },
    ]);
  });
});
