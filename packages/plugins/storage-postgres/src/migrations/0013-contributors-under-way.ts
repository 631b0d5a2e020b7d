import type { Knex } from 'knex';

/**
 * Index for contributors in undelivered messages, which each vote in a run with a parent or child run looks up. Also
 * adds `votes.counts`: a vote no longer counts if its voter turns out to be a contributor. All existing votes count.
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
