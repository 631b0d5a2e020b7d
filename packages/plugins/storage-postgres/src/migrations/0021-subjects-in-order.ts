import type { Knex } from 'knex';

/**
 * `approvals.subject` becomes `json`, which keeps the order of the inputs as in the BPMN model; `jsonb` sorts them. This
 * rewrites the table once, while no server can read or write it. `business_key` is that of the run.
 */
export const subjectsInOrder = {
  name: '0021-subjects-in-order',
  async up(knex: Knex): Promise<void> {
    await knex.raw(`
      ALTER TABLE approvals ALTER COLUMN subject TYPE json, ADD COLUMN business_key text;
      UPDATE approvals a SET business_key = r.business_key
        FROM runs r WHERE r.run_id = a.run_id AND r.business_key IS NOT NULL;
    `);
  },
};
