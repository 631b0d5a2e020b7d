import type { Knex } from 'knex';

/**
 * Index of the runs with a failed step that can be recovered. Lists of the runs that need attention then read no ended
 * runs, such as rejected ones, however many there are.
 */
export const runsNeedingAttention = {
  name: '0023-runs-needing-attention',
  async up(knex: Knex): Promise<void> {
    await knex.raw(`
      CREATE INDEX runs_needing_attention ON runs ((filed_under = 'failed' AND outcome IS NULL), run_id)
        WHERE (filed_under = 'failed' AND outcome IS NULL);
    `);
  },
};
