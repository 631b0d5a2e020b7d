import type { Knex } from 'knex';

/** Who had a hand in the data of a run is looked up at each vote in a run that calls others or was called. */
export const contributorsUnderWay = {
  name: '0013-contributors-under-way',
  async up(knex: Knex): Promise<void> {
    await knex.raw(
      `CREATE INDEX outbox_contributors ON outbox ((message->>'rootRunId')) WHERE message->>'kind' = 'contributors'`,
    );
  },
};
