import type { Knex } from 'knex';

/**
 * `user_name_sources`: issue time of the token that the names in `user_names` come from, so that older tokens do not
 * replace them.
 */
export const userNameSources = {
  name: '0016-user-name-sources',
  async up(knex: Knex): Promise<void> {
    await knex.raw(`
      CREATE TABLE user_name_sources (
        principal_id text COLLATE "C" PRIMARY KEY,
        issued_at timestamptz NOT NULL
      );
    `);
  },
};
