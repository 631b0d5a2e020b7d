import type { Knex } from 'knex';

/**
 * Names of people beside their ids. `absences.subject_names` is in lower case; `votes.asked_as` has names as the workflow
 * spells them, `NULL` where the voter was asked by id or by a group.
 */
export const userNames = {
  name: '0015-user-names',
  async up(knex: Knex): Promise<void> {
    await knex.raw(`
      ALTER TABLE votes ADD COLUMN asked_as jsonb;
      ALTER TABLE absences ADD COLUMN subject_names jsonb NOT NULL DEFAULT '[]';
      CREATE INDEX absences_by_subject_names ON absences USING gin (subject_names);
      CREATE INDEX absences_by_folded_subject ON absences (lower(subject));
      CREATE INDEX absences_by_folded_substitute ON absences (lower(substitute COLLATE "C")) WHERE substitute IS NOT NULL;
    `);
  },
};
