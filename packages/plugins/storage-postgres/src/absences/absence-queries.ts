import type { AbsenceRecord, Page, PageRequest } from '@countersign/core/ports';
import { type Absence, type AuditEntry, foldCase, isoTime } from '@countersign/model';
import type { Knex } from 'knex';
import { appendAudit } from '../audit/append-audit.js';
import type { Queryable } from '../database/transaction.js';
import { condition } from '../queries/condition.js';
import { readPage } from '../queries/read-page.js';
import { isStorableText } from '../queries/storable.js';

const COLUMNS = ['absence_id', 'subject', 'substitute', 'starts_at', 'ends_at', 'set_at', 'set_by'] as const;
const SELECT = `SELECT ${COLUMNS.join(', ')} FROM absences`;
const FORGET_AFTER = "interval '30 days'";
/** By their id, or by a user name under which it was set before their first sign-in. */
const OF_PERSON = '(subject = $1 OR lower(subject) IN (SELECT u.name FROM user_names u WHERE u.principal_id = $1))';

export async function setAbsence(
  transaction: Queryable,
  { absenceId, subject, substitute, from, until, setAt, setBy }: AbsenceRecord,
  audit: AuditEntry,
): Promise<void> {
  await transaction.query({
    name: 'set_absence',
    // A vote that relies on the one before is waited for, and those that come after find another id.
    text: `INSERT INTO absences (${COLUMNS.join(', ')}) VALUES ($1, $2, $3, $4, $5, $6, $7)
           ON CONFLICT (subject) DO UPDATE SET (${COLUMNS.join(', ')}) = ROW (${COLUMNS.map((column) => `excluded.${column}`).join(', ')})`,
    values: [absenceId, subject, substitute, isoTime(from), isoTime(until), isoTime(setAt), setBy],
  });
  await transaction.query({
    name: 'forget_absences',
    text: `DELETE FROM absences WHERE ends_at < now() - ${FORGET_AFTER} AND subject <> $1`,
    values: [subject],
  });
  await changed(transaction, absenceId, audit);
}

export async function endAbsence(transaction: Queryable, subject: string, audit: AuditEntry): Promise<boolean> {
  if (!isStorableText(subject)) return false;
  const { rows } = await transaction.query({
    name: 'end_absence',
    text: `DELETE FROM absences WHERE ${OF_PERSON} AND ends_at > now() RETURNING absence_id`,
    values: [subject],
  });
  for (const row of rows) await changed(transaction, String(row['absence_id']), audit);
  return rows.length > 0;
}

async function changed(transaction: Queryable, absenceId: string, audit: AuditEntry): Promise<void> {
  await transaction.query({
    name: 'count_absence_change',
    text: 'UPDATE absence_changes SET changes = changes + 1',
    values: [],
  });
  await appendAudit(transaction, [{ ...audit, target: { ...audit.target, id: absenceId } }]);
}

export async function findAbsence(database: Queryable, subject: string): Promise<AbsenceRecord | undefined> {
  if (!isStorableText(subject)) return undefined;
  const { rows } = await database.query({
    name: 'find_absence',
    text: `${SELECT} WHERE ${OF_PERSON} AND ends_at > now() ORDER BY subject = $1 DESC LIMIT 1`,
    values: [subject],
  });
  return rows[0] === undefined ? undefined : absenceOf(rows[0]);
}

export async function absencesNow(
  database: Queryable,
  of: { readonly subjects: readonly string[] } | { readonly substitutes: readonly string[] },
): Promise<Absence[]> {
  const { name, where, people } =
    'subjects' in of
      ? { name: 'absences_of_subjects', where: OF_SUBJECTS, people: of.subjects }
      : {
          name: 'absences_with_substitutes',
          where: 'lower(a.substitute COLLATE "C") = ANY($1::text[])',
          people: of.substitutes,
        };
  const storable = people.filter(isStorableText);
  const { rows } = await database.query({
    name,
    text: `${SELECT_NOW} WHERE (${where}) AND a.starts_at <= now() AND a.ends_at > now() ORDER BY a.subject`,
    values: [storable.map(foldCase), ...('subjects' in of ? [storable] : [])],
  });
  return rows.map((row) => {
    const subjectNames = row['subject_names'] as readonly string[];
    return { ...absenceOf(row), ...(subjectNames.length === 0 ? {} : { subjectNames }) };
  });
}

/** An absence that names its subject by the user name of one person is theirs. */
const SELECT_NOW = `SELECT ${COLUMNS.map((column) => (column === 'subject' ? 'COALESCE(p.id, a.subject) AS subject' : `a.${column}`)).join(', ')},
    ARRAY(SELECT u.name FROM user_names u WHERE u.principal_id = COALESCE(p.id, a.subject) ORDER BY u.name) AS subject_names
  FROM absences a LEFT JOIN LATERAL (
    SELECT min(u.principal_id) AS id FROM user_names u WHERE u.name = lower(a.subject) HAVING count(*) = 1
  ) AS p ON true`;

/** `$1` in lower case, `$2` as they are. */
const OF_SUBJECTS = `a.subject = ANY($2::text[]) OR lower(a.subject) = ANY($1::text[])
  OR a.subject IN (SELECT u.principal_id FROM user_names u WHERE u.name = ANY($1::text[]))
  OR lower(a.subject) IN (SELECT u.name FROM user_names u WHERE u.principal_id = ANY($2::text[]))`;

export async function listAbsences(knex: Knex, page: PageRequest): Promise<Page<AbsenceRecord>> {
  const { rows, nextCursor } = await readPage(
    knex,
    {
      table: 'absences',
      list: 'absences',
      filter: {},
      columns: COLUMNS,
      key: [{ sql: 'subject', type: 'text' }],
      direction: 'asc',
      branches: [{ pinned: [], scanned: [condition('ends_at > now()')] }],
    },
    page,
  );
  return { items: rows.map(absenceOf), nextCursor };
}

function absenceOf(row: Readonly<Record<string, unknown>>): AbsenceRecord {
  return {
    absenceId: String(row['absence_id']),
    subject: String(row['subject']),
    substitute: row['substitute'] as string | null,
    from: Number(row['starts_at']),
    until: Number(row['ends_at']),
    setAt: Number(row['set_at']),
    setBy: String(row['set_by']),
  };
}
