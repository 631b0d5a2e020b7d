import type { AbsenceRecord, Page, PageRequest } from '@countersign/core/ports';
import { type Absence, type AuditEntry, foldCase, isoTime } from '@countersign/model';
import type { Knex } from 'knex';
import type { Queryable } from '../database/transaction.js';
import { peopleCalled } from '../people/user-names.js';
import { condition } from '../queries/condition.js';
import { readPage } from '../queries/read-page.js';
import { isStorableText } from '../queries/storable.js';
import { recordChange } from './record-change.js';

const COLUMNS = [
  'absence_id',
  'subject',
  'substitute',
  'starts_at',
  'ends_at',
  'set_at',
  'set_by',
  'awaits_sign_in',
] as const;
const SELECT = `SELECT ${COLUMNS.join(', ')} FROM absences`;
const FORGET_AFTER = "interval '30 days'";

export async function setAbsence(
  transaction: Queryable,
  { absenceId, subject, substitute, from, until, setAt, setBy, awaitsSignIn }: AbsenceRecord,
  audit: AuditEntry,
): Promise<boolean> {
  if (awaitsSignIn) {
    if (await isTaken(transaction, subject)) return false;
    // One name, whatever its case.
    await transaction.query({
      name: 'replace_absence_by_name',
      text: 'DELETE FROM absences WHERE awaits_sign_in AND lower(subject) = $1',
      values: [foldCase(subject)],
    });
  }
  await transaction.query({
    name: 'set_absence',
    // A vote that relies on the one before is waited for, and those that come after find another id.
    text: `INSERT INTO absences (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map((_, index) => `$${index + 1}`).join(', ')})
           ON CONFLICT (subject) DO UPDATE SET (${COLUMNS.join(', ')}) = ROW (${COLUMNS.map((column) => `excluded.${column}`).join(', ')})`,
    values: [absenceId, subject, substitute, isoTime(from), isoTime(until), isoTime(setAt), setBy, awaitsSignIn],
  });
  await transaction.query({
    name: 'forget_absences',
    text: `DELETE FROM absences WHERE ends_at < now() - ${FORGET_AFTER} AND subject <> $1`,
    values: [subject],
  });
  await recordChange(transaction, absenceId, audit);
  return true;
}

/** Whether somebody has signed in by this name. Tables are locked in the order in which a sign-in writes to them. */
async function isTaken(transaction: Queryable, name: string): Promise<boolean> {
  await transaction.query({ text: 'LOCK TABLE user_name_sources, user_names IN SHARE MODE', values: [] });
  return (await peopleCalled(transaction, name)).length > 0;
}

/** @param subject an id, or a name under which an absence waits for the first sign-in of somebody, in whatever case */
export async function endAbsence(transaction: Queryable, subject: string, audit: AuditEntry): Promise<boolean> {
  if (!isStorableText(subject)) return false;
  const { rows } = await transaction.query({
    name: 'end_absence',
    text: `DELETE FROM absences WHERE (subject = $1 OR (awaits_sign_in AND lower(subject) = $2)) AND ends_at > now() RETURNING absence_id`,
    values: [subject, foldCase(subject)],
  });
  for (const row of rows) await recordChange(transaction, String(row['absence_id']), audit);
  return rows.length > 0;
}

export async function findAbsence(database: Queryable, subject: string): Promise<AbsenceRecord | undefined> {
  if (!isStorableText(subject)) return undefined;
  const { rows } = await database.query({
    name: 'find_absence',
    text: `${SELECT} WHERE subject = $1 AND NOT awaits_sign_in AND ends_at > now()`,
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
    text: `${SELECT_NOW} AND (${where}) ORDER BY a.subject`,
    values: [storable.map(foldCase), ...('subjects' in of ? [storable] : [])],
  });
  return rows.map((row) => {
    const { awaitsSignIn: _bound, setAt: _setAt, ...absence } = absenceOf(row);
    const subjectNames = row['subject_names'] as readonly string[];
    return { ...absence, ...(subjectNames.length === 0 ? {} : { subjectNames }) };
  });
}

/**
 * Those in force of people who are known by their ids alone: whose id is the user name of somebody else may be either. Names
 * that are in a later token of somebody else have been given to them.
 */
const SELECT_NOW = `SELECT ${COLUMNS.map((column) => `a.${column}`).join(', ')},
    ARRAY(
      SELECT u.name FROM user_names u WHERE u.principal_id = a.subject AND NOT EXISTS (
        SELECT FROM user_names o
          JOIN user_name_sources theirs ON theirs.principal_id = o.principal_id
          LEFT JOIN user_name_sources own ON own.principal_id = u.principal_id
        WHERE o.name = u.name AND o.principal_id <> u.principal_id
          AND theirs.issued_at > COALESCE(own.issued_at, '-infinity'))
      ORDER BY u.name) AS subject_names
  FROM absences a
  WHERE NOT a.awaits_sign_in AND a.starts_at <= now() AND a.ends_at > now()
    AND NOT EXISTS (SELECT FROM user_names u WHERE u.name = lower(a.subject) AND u.principal_id <> a.subject)`;

/** `$1` in lower case, `$2` as they are. */
const OF_SUBJECTS = `a.subject = ANY($2::text[]) OR a.subject IN (SELECT u.principal_id FROM user_names u WHERE u.name = ANY($1::text[]))`;

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
    awaitsSignIn: row['awaits_sign_in'] === true,
  };
}
