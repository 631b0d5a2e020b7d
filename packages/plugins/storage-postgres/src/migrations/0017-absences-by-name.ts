import type { Knex } from 'knex';

/**
 * Binds absences that have not ended and whose subject is the user name of exactly one person to that person, as they
 * were interpreted before. A bound absence keeps its id, which its audit event contains. If a person has several, only
 * the one that was set last is bound, and the others keep the user name as their subject. It replaces an ended absence
 * of the person; if the person has one that has not ended, none is bound.
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
