import type { Knex } from 'knex';

/** Accepted external tools, by the name that agents use, and whether each is stopped. */
export const toolPins = {
  name: '0005-tool-pins',
  async up(knex: Knex): Promise<void> {
    await knex.raw(`
      CREATE TABLE tool_pins (
        name text COLLATE "C" PRIMARY KEY,
        source text NOT NULL,
        digest text NOT NULL,
        content jsonb NOT NULL,
        accepted_at timestamptz NOT NULL,
        accepted_by text NOT NULL,
        stopped jsonb
      );
    `);
  },
};
