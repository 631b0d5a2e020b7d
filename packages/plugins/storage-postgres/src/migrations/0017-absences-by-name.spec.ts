import { expect } from 'chai';
import { createDatabaseBeforeMigration, type DatabaseBeforeMigration } from './migration.spec.support.js';

describe('migration 0017-absences-by-name', () => {
  let database: DatabaseBeforeMigration;

  beforeEach(async () => {
    database = await createDatabaseBeforeMigration('0017-absences-by-name');
  });

  afterEach(() => database.drop());

  const insertAbsence = (subject: string, substitute: string | null = 'bob', setBy = 'root', remainingHours = 9) =>
    database.client.query(
      `INSERT INTO absences VALUES ($1, gen_random_uuid(), $2, now() - interval '99 hours', now() + $4 * interval '1 hour', clock_timestamp(), $3)`,
      [subject, substitute, setBy, remainingHours],
    );
  const insertUserName = (id: string, userName: string) =>
    database.client.query('INSERT INTO user_names VALUES ($1, $2)', [id, userName]);
  const loadAbsences = async () =>
    (await database.client.query('SELECT subject, substitute FROM absences ORDER BY subject')).rows.map((row) =>
      Object.values(row as object),
    );

  it('should move the latest current absence that is stored under a user name to the only person with that name', async () => {
    // given
    for (const id of ['ada', 'cem', 'eli']) await insertUserName(`u-${id}`, `${id}@example.com`);
    for (const id of ['u-1', 'u-2']) await insertUserName(id, 'team@example.com');
    await insertUserName('u-dan', 'dan');
    await database.client.query(`INSERT INTO principals (principal_id, type) VALUES ('dan', 'user')`);
    await insertAbsence('ADA@example.com', 'eve');
    await insertAbsence('Ada@example.com', 'Ada@Example.COM');
    await insertAbsence('ada@example.com', 'bob', 'root', -1);
    await insertAbsence('cem@example.com');
    await insertAbsence('u-cem', null, 'u-cem');
    await insertAbsence('u-eli', null, 'u-eli', -1);
    await insertAbsence('eli@example.com');
    for (const subject of ['team@example.com', 'finn@example.com', 'dan']) await insertAbsence(subject);
    const { rows: before } = await database.client.query('SELECT absence_id FROM absences WHERE subject = $1', [
      'eli@example.com',
    ]);

    // when
    await database.migrate();

    // then
    expect(await loadAbsences()).to.deep.equal([
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
    const { rows: after } = await database.client.query(`SELECT absence_id FROM absences WHERE subject = 'u-eli'`);
    expect(after).to.deep.equal(before);
  });
});
