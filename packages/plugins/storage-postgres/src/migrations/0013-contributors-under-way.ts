import type { Knex } from 'knex';

/**
 * Who had a hand in the data of a run is looked up at each vote in a run that calls others or was called. A vote stops
 * counting once its voter has one; all did count before.
 */
export const contributorsUnderWay = {
  name: '0013-contributors-under-way',
  async up(knex: Knex): Promise<void> {
    await knex.raw(
      `CREATE INDEX outbox_contributors ON outbox ((message->>'rootRunId')) WHERE message->>'kind' = 'contributors'`,
    );
    await knex.raw('ALTER TABLE votes ADD COLUMN counts boolean NOT NULL DEFAULT true');
  },
};
