import type { Knex } from 'knex';

/**
 * Absences: one row per person. Each change of a row is written together with an audit event, so that the history is
 * kept. `absence_changes` counts the changes for readers of the change feed.
 */
export const absences = {
  name: '0008-absences',
  async up(knex: Knex): Promise<void> {
    await knex.raw(`
      CREATE TABLE absences (
        subject text COLLATE "C" PRIMARY KEY,
        absence_id uuid NOT NULL UNIQUE,
        substitute text,
        starts_at timestamptz NOT NULL,
        ends_at timestamptz NOT NULL,
        set_at timestamptz NOT NULL,
        set_by text NOT NULL,
        CHECK (starts_at < ends_at),
        CHECK (substitute <> subject)
      );
      CREATE INDEX absences_by_substitute ON absences (substitute) WHERE substitute IS NOT NULL;

      CREATE TABLE absence_changes (
        id smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
        changes bigint NOT NULL DEFAULT 0
      );
      INSERT INTO absence_changes DEFAULT VALUES;
    `);
  },
};
