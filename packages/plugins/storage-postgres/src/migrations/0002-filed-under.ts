import type { Knex } from 'knex';

/**
 * `runs.filed_under` is the status under which lists find a run, or `calling` while the run waits for a child run: its
 * displayed status then also depends on the child run, which continues without writing to its parent. The index
 * replaces the one by status, so writing a run costs no more than before.
 */
export const filedUnder = {
  name: '0002-filed-under',
  async up(knex: Knex): Promise<void> {
    await knex.raw(`
      ALTER TABLE runs ADD COLUMN filed_under text NOT NULL GENERATED ALWAYS AS (
        CASE WHEN outcome IS NULL AND jsonb_path_exists(waiting_for, '$[*].childRunId') THEN 'calling' ELSE status END
      ) STORED;
      CREATE INDEX runs_by_filing ON runs (filed_under, run_id);
      DROP INDEX runs_by_status;
    `);
  },
};
