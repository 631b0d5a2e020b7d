import type { Knex } from 'knex';

/**
 * `absences.awaits_sign_in`: the subject is the user name of somebody who has not signed in yet, so that the absence lets
 * nobody decide. Those whose subject is the user name of one person become theirs, as they were read until now; the others
 * that administrators set for somebody unknown wait, unless nobody has a user name.
 */
export const absencesByName = {
  name: '0017-absences-by-name',
  async up(knex: Knex): Promise<void> {
    await knex.raw(`
      ALTER TABLE absences ADD COLUMN awaits_sign_in boolean NOT NULL DEFAULT false;

      UPDATE absences a SET awaits_sign_in = true
      WHERE a.set_by <> a.subject AND EXISTS (SELECT FROM user_names)
        AND NOT EXISTS (SELECT FROM principals p WHERE p.principal_id = a.subject)
        AND NOT EXISTS (SELECT FROM user_names u WHERE u.principal_id = a.subject)
        AND NOT EXISTS (SELECT FROM user_name_sources s WHERE s.principal_id = a.subject);

      WITH named AS (
        SELECT DISTINCT ON (p.id) a.absence_id, p.id
        FROM absences a CROSS JOIN LATERAL (
          SELECT min(u.principal_id) AS id FROM user_names u WHERE u.name = lower(a.subject) HAVING count(*) = 1
        ) AS p
        WHERE a.awaits_sign_in AND NOT EXISTS (SELECT FROM absences own WHERE own.subject = p.id)
        ORDER BY p.id, a.set_at DESC
      )
      UPDATE absences a SET awaits_sign_in = false, absence_id = gen_random_uuid(), subject = named.id,
        substitute = CASE
          WHEN a.substitute = named.id OR EXISTS (
            SELECT FROM user_names u WHERE u.principal_id = named.id AND u.name = lower(a.substitute COLLATE "C")
          ) THEN NULL ELSE a.substitute END
      FROM named WHERE a.absence_id = named.absence_id;
      UPDATE absence_changes SET changes = changes + 1;
    `);
  },
};
