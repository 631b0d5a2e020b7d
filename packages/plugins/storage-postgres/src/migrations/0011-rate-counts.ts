import type { Knex } from 'knex';

/** Counters of limits that servers share. Unlogged: what a crash loses only lets somebody make some requests more. */
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
