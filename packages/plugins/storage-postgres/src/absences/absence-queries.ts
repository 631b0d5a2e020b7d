import type { AbsenceRecord, NewAbsence, Page, PageRequest } from '@countersign/core/ports';
import { type Absence, type AuditEntry, foldCase, isoTime } from '@countersign/model';
import type { Knex } from 'knex';
import type { Queryable } from '../database/transaction.js';
import { isKnownPerson } from '../people/is-known-person.js';
import { lockNames } from '../people/lock-names.js';
import { findPeopleByName } from '../people/user-names.js';
import { condition } from '../queries/condition.js';
import { readPage } from '../queries/read-page.js';
import { isStorableText } from '../queries/storable.js';
import { recordChange } from './record-change.js';

const COLUMNS = ['absence_id', 'subject', 'substitute', 'starts_at', 'ends_at', 'set_at', 'set_by'] as const;
const RETENTION_INTERVAL = "interval '30 days'";
/**
 * SQL condition on `absences a`: another person set the absence, the subject is not a known id, and at least one user
 * name is known. The subject may then be a user name.
 */
const AWAITS_SIGN_IN = `(a.set_by <> a.subject AND EXISTS (SELECT FROM user_names) AND NOT ${isKnownPerson('a.subject')})`;
const SELECT = `SELECT ${COLUMNS.map((column) => `a.${column}`).join(', ')}, ${AWAITS_SIGN_IN} AS awaits_sign_in FROM absences a`;

export async function setAbsence(
  transaction: Queryable,
  { absenceId, subject, substitute, from, until, setAt, setBy }: NewAbsence,
  audit: AuditEntry,
): Promise<AbsenceRecord | undefined> {
  await lockNames(transaction, [subject]);
  const subjectIds = setBy === subject ? [subject] : await findPeopleByName(transaction, subject);
  if (subjectIds.some((id) => id !== subject)) return undefined;
  if (subjectIds.length === 0) {
    // Names are compared case-insensitively.
    await transaction.query({
      name: 'replace_absence_by_name',
      text: `DELETE FROM absences a WHERE lower(a.subject) = $1 AND a.subject <> $2 AND ${AWAITS_SIGN_IN}`,
      values: [foldCase(subject), subject],
    });
  }
  const { rows } = await transaction.query({
    name: 'set_absence',
    // The upsert waits for a vote that relies on the previous absence. Later votes that rely on it are outdated,
    // because the id has changed.
    text: `INSERT INTO absences AS a (${COLUMNS.join(', ')}) VALUES ($1, $2, $3, $4, $5, $6, $7)
           ON CONFLICT (subject) DO UPDATE SET (${COLUMNS.join(', ')}) = ROW (${COLUMNS.map((column) => `excluded.${column}`).join(', ')})
           RETURNING ${COLUMNS.join(', ')}, ${AWAITS_SIGN_IN} AS awaits_sign_in`,
    values: [absenceId, subject, substitute, isoTime(from), isoTime(until), isoTime(setAt), setBy],
  });
  await transaction.query({
    name: 'forget_absences',
    text: `DELETE FROM absences WHERE absence_id IN (
             SELECT absence_id FROM absences WHERE ends_at < now() - ${RETENTION_INTERVAL} AND subject <> $1 FOR UPDATE SKIP LOCKED)`,
    values: [subject],
  });
  await recordChange(transaction, absenceId, audit);
  return rows[0] === undefined ? undefined : toAbsenceRecord(rows[0]);
}

/**
 * @param subject an id, or a user name (case-insensitive) under which an absence waits for the first sign-in of its
 *   user
 */
export async function endAbsence(transaction: Queryable, subject: string, audit: AuditEntry): Promise<boolean> {
  if (!isStorableText(subject)) return false;
  await lockNames(transaction, [subject]);
  const { rows } = await transaction.query({
    name: 'end_absence',
    text: `DELETE FROM absences a
           WHERE (a.subject = $1 OR (lower(a.subject) = $2 AND ${AWAITS_SIGN_IN} AND NOT ${isKnownPerson('$1')})) AND a.ends_at > now()
           RETURNING a.absence_id`,
    values: [subject, foldCase(subject)],
  });
  for (const row of rows) await recordChange(transaction, String(row['absence_id']), audit);
  return rows.length > 0;
}

export async function findAbsence(database: Queryable, subject: string): Promise<AbsenceRecord | undefined> {
  if (!isStorableText(subject)) return undefined;
  const { rows } = await database.query({
    name: 'find_absence',
    text: `${SELECT} WHERE a.subject = $1 AND a.ends_at > now()`,
    values: [subject],
  });
  return rows[0] === undefined ? undefined : toAbsenceRecord(rows[0]);
}

export async function listCurrentAbsences(
  database: Queryable,
  filter: { readonly subjects: readonly string[] } | { readonly substitutes: readonly string[] },
): Promise<Absence[]> {
  const { name, where, people } =
    'subjects' in filter
      ? { name: 'absences_of_subjects', where: IS_ONE_OF_SUBJECTS, people: filter.subjects }
      : {
          name: 'absences_with_substitutes',
          where: 'lower(a.substitute COLLATE "C") = ANY($1::text[])',
          people: filter.substitutes,
        };
  const storable = people.filter(isStorableText);
  const { rows } = await database.query({
    name,
    text: `${SELECT_ACTIVE} AND (${where}) ORDER BY a.subject`,
    values: [storable.map(foldCase), ...('subjects' in filter ? [storable] : [])],
  });
  return rows.map((row) => {
    const { awaitsSignIn: _awaitsSignIn, setAt: _setAt, ...absence } = toAbsenceRecord(row);
    const subjectNames = row['subject_names'] as readonly string[];
    return { ...absence, ...(subjectNames.length === 0 ? {} : { subjectNames }) };
  });
}

/**
 * SQL condition on `absences a`: the subject is unambiguous. An id that is also the user name of another person may
 * mean either.
 */
export const IS_UNAMBIGUOUS = `(NOT ${AWAITS_SIGN_IN}
  AND NOT EXISTS (SELECT FROM user_names u WHERE u.name = lower(a.subject) AND u.principal_id <> a.subject))`;

/**
 * Selects the absences in force. Leaves out names that a more recent token of another person contains, because they
 * were reassigned.
 */
const SELECT_ACTIVE = `SELECT ${COLUMNS.map((column) => `a.${column}`).join(', ')},
    ARRAY(
      SELECT u.name FROM user_names u WHERE u.principal_id = a.subject AND NOT EXISTS (
        SELECT FROM user_names o
          JOIN user_name_sources theirs ON theirs.principal_id = o.principal_id
          LEFT JOIN user_name_sources own ON own.principal_id = u.principal_id
        WHERE o.name = u.name AND o.principal_id <> u.principal_id
          AND theirs.issued_at > COALESCE(own.issued_at, '-infinity'))
      ORDER BY u.name) AS subject_names
  FROM absences a
  WHERE ${IS_UNAMBIGUOUS} AND a.starts_at <= now() AND a.ends_at > now()`;

/** `$1` is in lower case, `$2` unchanged. */
const IS_ONE_OF_SUBJECTS = `a.subject IN (SELECT unnest($2::text[]) UNION SELECT u.principal_id FROM user_names u WHERE u.name = ANY($1::text[]))`;

export async function listAbsences(knex: Knex, page: PageRequest): Promise<Page<AbsenceRecord>> {
  const { rows, nextCursor } = await readPage(
    knex,
    {
      table: 'absences',
      source: condition(`(SELECT a.*, ${AWAITS_SIGN_IN} AS awaits_sign_in FROM absences a) AS absences`),
      list: 'absences',
      filter: {},
      columns: [...COLUMNS, 'awaits_sign_in'],
      key: [{ sql: 'subject', type: 'text' }],
      direction: 'asc',
      branches: [{ pinned: [], scanned: [condition('ends_at > now()')] }],
    },
    page,
  );
  return { items: rows.map(toAbsenceRecord), nextCursor };
}

function toAbsenceRecord(row: Readonly<Record<string, unknown>>): AbsenceRecord {
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
