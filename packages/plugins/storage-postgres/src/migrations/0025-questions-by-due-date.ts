import type { Knex } from 'knex';

/** Index of the questions by due date. The inbox lists them in this order, next to the approvals. */
export const questionsByDueDate = {
  name: '0025-questions-by-due-date',
  async up(knex: Knex): Promise<void> {
    await knex.raw(`
      CREATE INDEX questions_by_due_date ON questions
        (status, COALESCE(due_at, 'infinity'::timestamptz), question_id);
    `);
  },
};
