import type { Knex } from 'knex';

/**
 * Index of the runs that have failed and that nobody rejected or cancelled. Lists of the runs that need attention then
 * read no rejected and no cancelled runs, however many there are.
 */
export const runsNeedingAttention = {
  name: '0023-runs-needing-attention',
  async up(knex: Knex): Promise<void> {
    await knex.raw(`
      CREATE INDEX runs_needing_attention ON runs ((filed_under = 'failed' AND (outcome IS NULL OR outcome = 'failed')), run_id)
        WHERE (filed_under = 'failed' AND (outcome IS NULL OR outcome = 'failed'));
    `);
  },
};
