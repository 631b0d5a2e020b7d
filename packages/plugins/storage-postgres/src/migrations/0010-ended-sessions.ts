import type { Knex } from 'knex';

/** Sessions that an issuer ended and their logout messages, as digests, until the tokens are too old to be accepted. */
export const endedSessions = {
  name: '0010-ended-sessions',
  async up(knex: Knex): Promise<void> {
    await knex.raw(`
      CREATE TABLE ended_sessions (
        key text COLLATE "C" PRIMARY KEY,
        ended_at timestamptz NOT NULL,
        kept_until timestamptz NOT NULL,
        recorded_at timestamptz NOT NULL DEFAULT clock_timestamp()
      );
      CREATE INDEX ended_sessions_by_record ON ended_sessions (recorded_at);

      CREATE TABLE logout_messages (
        key text COLLATE "C" PRIMARY KEY,
        kept_until timestamptz NOT NULL
      );
    `);
  },
};
