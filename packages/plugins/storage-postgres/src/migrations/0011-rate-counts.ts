import type { Knex } from 'knex';

/** Counters of limits that servers share. Unlogged: a crash loses counts, which only allows a few more requests. */
export const rateCounts = {
  name: '0011-rate-counts',
  async up(knex: Knex): Promise<void> {
    await knex.raw(`
      CREATE UNLOGGED TABLE rate_counts (
        key text COLLATE "C" PRIMARY KEY,
        count bigint NOT NULL,
        counted_at timestamptz NOT NULL DEFAULT now()
      );
    `);
  },
};
