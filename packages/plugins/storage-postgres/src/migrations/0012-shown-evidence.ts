import type { Knex } from 'knex';

/** What of the evidence was shown to a voter; `NULL` where their client reported nothing, as none did before. */
export const shownEvidence = {
  name: '0012-shown-evidence',
  async up(knex: Knex): Promise<void> {
    await knex.raw('ALTER TABLE votes ADD COLUMN shown jsonb');
  },
};
