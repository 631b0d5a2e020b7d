import type { Knex } from 'knex';

/**
 * Absences whose subject is the user name of one person now belong to that person, as they were interpreted before. If
 * a person has several, the absence that is still valid and was set last stays unchanged, as in its audit event; the
 * others have ended and are deleted, or keep the user name as their subject.
 */
export const absencesByName = {
  name: '0017-absences-by-name',
  async up(knex: Knex): Promise<void> {
    await knex.raw(`
      CREATE TEMPORARY TABLE named ON COMMIT DROP AS
        SELECT DISTINCT ON (p.id) a.absence_id, p.id
        FROM absences a CROSS JOIN LATERAL (
          SELECT min(u.principal_id) AS id FROM user_names u WHERE u.name = lower(a.subject) HAVING count(*) = 1
        ) AS p
        WHERE a.set_by <> a.subject AND a.ends_at > now() AND p.id <> a.subject
          AND NOT EXISTS (SELECT FROM principals k WHERE k.principal_id = (a.subject COLLATE "default"))
          AND NOT EXISTS (SELECT FROM user_names k WHERE k.principal_id = a.subject)
          AND NOT EXISTS (SELECT FROM user_name_sources k WHERE k.principal_id = a.subject)
          AND NOT EXISTS (SELECT FROM absences own WHERE own.subject = p.id AND own.ends_at > now())
        ORDER BY p.id, a.set_at DESC;

      DELETE FROM absences WHERE subject IN (SELECT id FROM named);
      UPDATE absences a SET subject = named.id,
        substitute = CASE
          WHEN a.substitute = named.id OR EXISTS (
            SELECT FROM user_names u WHERE u.principal_id = named.id AND u.name = lower(a.substitute COLLATE "C")
          ) THEN NULL ELSE a.substitute END
      FROM named WHERE a.absence_id = named.absence_id;
      UPDATE absence_changes SET changes = changes + 1;
    `);
  },
};
