import type { AbsenceRecord, Page, PageRequest } from '@countersign/core/ports';
import { type Absence, type AuditEntry, foldCase, isoTime } from '@countersign/model';
import type { Knex } from 'knex';
import { appendAudit } from '../audit/append-audit.js';
import type { Queryable } from '../database/transaction.js';
import { condition } from '../queries/condition.js';
import { readPage } from '../queries/read-page.js';
import { isStorableText } from '../queries/storable.js';

const COLUMNS = [
  'absence_id',
  'subject',
  'subject_names',
  'substitute',
  'starts_at',
  'ends_at',
  'set_at',
  'set_by',
] as const;
const SELECT = `SELECT ${COLUMNS.join(', ')} FROM absences`;
const FORGET_AFTER = "interval '30 days'";

export async function setAbsence(
  transaction: Queryable,
  { absenceId, subject, subjectNames = [], substitute, from, until, setAt, setBy }: AbsenceRecord,
  audit: AuditEntry,
): Promise<void> {
  await transaction.query({
    name: 'set_absence',
    // A vote that relies on the one before is waited for, and those that come after find another id.
    text: `INSERT INTO absences (${COLUMNS.join(', ')}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
           ON CONFLICT (subject) DO UPDATE SET (${COLUMNS.join(', ')}) = ROW (${COLUMNS.map((column) => `excluded.${column}`).join(', ')})`,
    values: [
      absenceId,
      subject,
      JSON.stringify(subjectNames.map(foldCase)),
      substitute,
      isoTime(from),
      isoTime(until),
      isoTime(setAt),
      setBy,
    ],
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
    text: 'DELETE FROM absences WHERE subject = $1 AND ends_at > now() RETURNING absence_id',
    values: [subject],
  });
  if (rows[0] === undefined) return false;
  await changed(transaction, String(rows[0]['absence_id']), audit);
  return true;
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
    text: `${SELECT} WHERE subject = $1 AND ends_at > now()`,
    values: [subject],
  });
  return rows[0] === undefined ? undefined : absenceOf(rows[0]);
}

export async function absencesNow(
  database: Queryable,
  of: { readonly subjects: readonly string[] } | { readonly substitutes: readonly string[] },
): Promise<Absence[]> {
  const [name, condition, people] =
    'subjects' in of
      ? ([
          'absences_by_subject',
          'lower(subject) = ANY($1::text[]) OR subject_names ?| $1::text[]',
          of.subjects,
        ] as const)
      : (['absences_by_substitute', 'lower(substitute COLLATE "C") = ANY($1::text[])', of.substitutes] as const);
  const { rows } = await database.query({
    name,
    text: `${SELECT} WHERE (${condition}) AND starts_at <= now() AND ends_at > now() ORDER BY subject`,
    values: [people.filter(isStorableText).map(foldCase)],
  });
  return rows.map(absenceOf);
}

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
  const subjectNames = row['subject_names'] as readonly string[];
  return {
    absenceId: String(row['absence_id']),
    subject: String(row['subject']),
    ...(subjectNames.length === 0 ? {} : { subjectNames }),
    substitute: row['substitute'] as string | null,
    from: Number(row['starts_at']),
    until: Number(row['ends_at']),
    setAt: Number(row['set_at']),
    setBy: String(row['set_by']),
  };
}
