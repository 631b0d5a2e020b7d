import type { Knex } from 'knex';

/**
 * Adds the engine of each run, and the announcements to external engines. Existing runs belong to the embedded engine.
 * Jobs of other engines are available at `infinity`, so the embedded engine never claims them.
 */
export const engines = {
  name: '0018-engines',
  async up(knex: Knex): Promise<void> {
    await knex.raw(`
      ALTER TABLE runs ADD COLUMN engine text NOT NULL DEFAULT 'embedded';

      CREATE TABLE announcements (
        run_id uuid PRIMARY KEY,
        engine text NOT NULL,
        revision bigint NOT NULL,
        since timestamptz NOT NULL DEFAULT now(),
        available_at timestamptz NOT NULL
      ) WITH (fillfactor = 70);
      CREATE INDEX announcements_available ON announcements (engine, available_at);
    `);
  },
};
