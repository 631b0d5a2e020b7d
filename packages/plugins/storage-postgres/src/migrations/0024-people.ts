import type { Knex } from 'knex';

/**
 * `people` and `people_groups`: the people who have signed in, as their last token describes them, so that users can
 * choose a delegate or a substitute. `search_text` has all names, and `sort_name` the start of the one that lists sort
 * by, both in lower case. A server of an earlier version that erases a person deletes only the row that these refer to.
 */
export const people = {
  name: '0024-people',
  async up(knex: Knex): Promise<void> {
    await knex.raw(`
      CREATE TABLE people (
        principal_id text COLLATE "C" PRIMARY KEY REFERENCES user_name_sources ON DELETE CASCADE,
        name text,
        user_name text COLLATE "C",
        may_decide boolean NOT NULL,
        issued_at timestamptz NOT NULL,
        sort_name text COLLATE "C" NOT NULL,
        search_text text NOT NULL
      );
      CREATE INDEX people_by_name ON people (sort_name, principal_id);
      CREATE TABLE people_groups (
        principal_id text COLLATE "C" NOT NULL REFERENCES people ON DELETE CASCADE,
        group_name text COLLATE "C" NOT NULL,
        search_text text NOT NULL,
        PRIMARY KEY (principal_id, group_name)
      );
      CREATE INDEX people_by_group ON people_groups (group_name);
    `);
  },
};
