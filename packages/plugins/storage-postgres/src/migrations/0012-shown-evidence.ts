import type { Knex } from 'knex';

/** Evidence that was shown to a voter; `NULL` if the client reported none, as for all earlier votes. */
export const shownEvidence = {
  name: '0012-shown-evidence',
  async up(knex: Knex): Promise<void> {
    await knex.raw('ALTER TABLE votes ADD COLUMN shown jsonb');
  },
};
