import type { Knex } from 'knex';

/**
 * Indexes for the runs with open jobs or timers of external engines, which are available or due at `infinity`. Those of
 * the embedded engine are not in the indexes.
 */
export const workOfExternalEngines = {
  name: '0019-work-of-external-engines',
  async up(knex: Knex): Promise<void> {
    await knex.raw(`
      CREATE INDEX jobs_of_external_engines ON jobs (run_id) WHERE available_at = 'infinity';
      CREATE INDEX timers_of_external_engines ON timers (run_id) WHERE due_at = 'infinity';
    `);
  },
};
