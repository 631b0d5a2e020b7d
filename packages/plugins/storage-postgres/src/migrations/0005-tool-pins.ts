import type { Knex } from 'knex';

/** What was accepted of the tools of others, each by the name that agents know it by, and whether it is stopped. */
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
