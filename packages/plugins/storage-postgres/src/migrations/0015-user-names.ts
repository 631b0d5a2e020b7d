import type { Knex } from 'knex';

/**
 * `user_names`: user names of each person in addition to the id, in lower case, from their last token with names.
 * `votes.asked_as` has the user names under which the voter was a candidate, as spelled in the workflow; `NULL` if the
 * voter was a candidate by id or group.
 */
export const userNames = {
  name: '0015-user-names',
  async up(knex: Knex): Promise<void> {
    await knex.raw(`
      CREATE TABLE user_names (
        principal_id text COLLATE "C" NOT NULL,
        name text COLLATE "C" NOT NULL,
        PRIMARY KEY (principal_id, name)
      );
      CREATE INDEX user_names_by_name ON user_names (name);
      ALTER TABLE votes ADD COLUMN asked_as jsonb;
      CREATE INDEX absences_by_folded_subject ON absences (lower(subject));
      CREATE INDEX absences_by_folded_substitute ON absences (lower(substitute COLLATE "C")) WHERE substitute IS NOT NULL;
    `);
  },
};
