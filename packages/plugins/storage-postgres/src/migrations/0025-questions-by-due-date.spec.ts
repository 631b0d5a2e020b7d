import { expect } from 'chai';
import { createDatabaseBeforeMigration, type DatabaseBeforeMigration } from './migration.spec.support.js';

describe('migration 0025-questions-by-due-date', () => {
  let database: DatabaseBeforeMigration;

  beforeEach(async () => {
    database = await createDatabaseBeforeMigration('0025-questions-by-due-date');
  });

  afterEach(() => database.drop());

  const insertQuestion = (digit: number, dueAt: string | null) =>
    database.client.query(
      `INSERT INTO questions (question_id, run_id, workflow_id, step_id, element_id, agent_name, purpose, text, asked_at,
         due_at, on_due, status)
       VALUES ($1, $1, 'w', $1, 'ask', 'asker', 'ask', 'Why?', now(), $2, '{}', 'pending')`,
      [`019aa000-0000-7000-8000-00000000000${digit}`, dueAt],
    );

  it('should index existing and new questions by due date', async () => {
    // given
    await insertQuestion(1, null);
    await insertQuestion(2, '2026-12-02T00:00:00Z');

    // when
    await database.migrate();
    await insertQuestion(3, '2026-12-01T00:00:00Z');

    // then
    await database.client.query('SET enable_seqscan = off; SET enable_sort = off');
    const query = `SELECT right(question_id::text, 1) AS digit FROM questions WHERE status = 'pending'
       ORDER BY status, COALESCE(due_at, 'infinity'::timestamptz), question_id`;
    expect(JSON.stringify((await database.client.query(`EXPLAIN ${query}`)).rows)).to.include('questions_by_due_date');
    expect((await database.client.query(query)).rows).to.deep.equal([{ digit: '3' }, { digit: '2' }, { digit: '1' }]);
  });
});
