import { isDeepStrictEqual } from 'node:util';
import type { PersonToken } from '@countersign/core/ports';
import { foldCase } from '@countersign/model';
import type { Pool } from 'pg';
import { bindAbsences } from '../absences/bind-absences.js';
import { inTransaction } from '../database/transaction.js';
import type { Queryable } from '../database/transaction.js';
import { lockNames } from './lock-names.js';
import { toSearchText } from './to-search-text.js';

/** In characters: enough to sort by. */
const MAX_SORT_NAME_LENGTH = 64;

/** Implements {@link PeopleStore.recordPerson}. Absences set under one of the names become those of the person. */
export async function recordPerson(pool: Pool, token: PersonToken): Promise<void> {
  const foldedNames = [...new Set((token.names ?? []).map(foldCase))].sort();
  await inTransaction(pool, async (transaction) => {
    await lockNames(transaction, [token.id, ...foldedNames]);
    const hasNewNames = await recordUserNames(transaction, token, foldedNames);
    await recordDescription(transaction, token, hasNewNames);
  });
}

/** @returns whether the user names of the token have replaced those known before */
async function recordUserNames(
  transaction: Queryable,
  { id, names, issuedAt, at }: PersonToken,
  foldedNames: readonly string[],
): Promise<boolean> {
  const { rows } = await transaction.query({
    name: 'note_source_of_user_names',
    // A token without names counts as the oldest possible one.
    text: `INSERT INTO user_name_sources AS known (principal_id, issued_at) VALUES ($1, $2)
      ON CONFLICT (principal_id) DO UPDATE SET issued_at = excluded.issued_at WHERE known.issued_at <= excluded.issued_at
      RETURNING xmax = 0 AS is_new`,
    values: [id, new Date(names === null ? 0 : issuedAt)],
  });
  if (rows[0] === undefined) return false;
  const isNew = rows[0]['is_new'] === true;
  if (names !== null) await replaceNames(transaction, id, foldedNames);
  if (names !== null || isNew) await bindAbsences(transaction, { id, userNames: foldedNames, isNew }, at);
  return names !== null;
}

async function replaceNames(transaction: Queryable, id: string, names: readonly string[]): Promise<void> {
  await transaction.query({
    name: 'forget_former_user_names',
    text: 'DELETE FROM user_names WHERE principal_id = $1 AND name <> ALL($2::text[])',
    values: [id, names],
  });
  await transaction.query({
    name: 'note_user_names',
    text: 'INSERT INTO user_names (principal_id, name) SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING',
    values: [id, names],
  });
}

interface StoredPerson {
  readonly name: string | null;
  readonly user_name: string | null;
  readonly may_decide: boolean | null;
  /** Milliseconds since the epoch; `null` if the person is not stored yet. */
  readonly issued_at: number | null;
  readonly sort_name: string | null;
  readonly search_text: string | null;
  /** All user names, in lower case. */
  readonly names: readonly string[];
  readonly groups: readonly string[];
}

/**
 * Stores how the token describes the person, unless it is older than the one that described them last. The user names
 * may come from another token, because not every token has names. The lock on the id makes reading and writing atomic.
 */
async function recordDescription(transaction: Queryable, token: PersonToken, hasNewNames: boolean): Promise<void> {
  const { id } = token;
  const { rows } = await transaction.query({
    name: 'find_person',
    text: `SELECT p.name, p.user_name, p.may_decide, (extract(epoch FROM p.issued_at) * 1000)::float8 AS issued_at, p.sort_name, p.search_text,
        ARRAY(SELECT u.name FROM user_names u WHERE u.principal_id = $1 ORDER BY u.name) AS names,
        ARRAY(SELECT g.group_name FROM people_groups g WHERE g.principal_id = $1 ORDER BY g.group_name) AS groups
      FROM (SELECT $1::text) AS wanted(id) LEFT JOIN people p ON p.principal_id = wanted.id`,
    values: [id],
  });
  const stored = rows[0] as unknown as StoredPerson;
  const isNewest = stored.issued_at === null || stored.issued_at <= token.issuedAt;
  // A token without a name says nothing about the name.
  const displayName = (isNewest ? token.displayName : null) ?? stored.name;
  const userName = findUsualName(token, stored, hasNewNames);
  const description = {
    name: displayName,
    user_name: userName,
    may_decide: isNewest ? token.mayDecide : stored.may_decide,
    issued_at: isNewest ? token.issuedAt : stored.issued_at,
    sort_name: toSearchText(displayName ?? userName ?? id).slice(0, MAX_SORT_NAME_LENGTH),
    search_text: toSearchText([id, displayName, userName, ...stored.names].join('\n')),
  };
  const isChanged = (Object.keys(description) as (keyof typeof description)[]).some(
    (column) => description[column] !== stored[column],
  );
  if (isChanged) await saveDescription(transaction, id, description);
  const groups = [...new Set(token.groups)].sort();
  if (isNewest && !isDeepStrictEqual(groups, stored.groups)) await replaceGroups(transaction, id, groups);
}

/** Returns the user name that comes first in the token with names. */
function findUsualName(token: PersonToken, stored: StoredPerson, hasNewNames: boolean): string | null {
  if (hasNewNames) return token.names?.[0] ?? null;
  const isCurrent = stored.user_name !== null && stored.names.includes(foldCase(stored.user_name));
  // A server of an earlier version does not store which name comes first.
  return isCurrent ? stored.user_name : (stored.names[0] ?? null);
}

async function saveDescription(
  transaction: Queryable,
  id: string,
  description: Omit<StoredPerson, 'names' | 'groups'>,
): Promise<void> {
  await transaction.query({
    name: 'note_person',
    text: `INSERT INTO people (principal_id, name, user_name, may_decide, issued_at, sort_name, search_text)
      VALUES ($1, $2, $3, $4, $5, $6, $7)
      ON CONFLICT (principal_id) DO UPDATE SET name = excluded.name, user_name = excluded.user_name,
        may_decide = excluded.may_decide, issued_at = excluded.issued_at, sort_name = excluded.sort_name,
        search_text = excluded.search_text`,
    values: [
      id,
      description.name,
      description.user_name,
      description.may_decide,
      new Date(description.issued_at ?? 0),
      description.sort_name,
      description.search_text,
    ],
  });
}

async function replaceGroups(transaction: Queryable, id: string, groups: readonly string[]): Promise<void> {
  await transaction.query({
    name: 'forget_former_groups',
    text: 'DELETE FROM people_groups WHERE principal_id = $1 AND group_name <> ALL($2::text[])',
    values: [id, groups],
  });
  await transaction.query({
    name: 'note_groups',
    text: `INSERT INTO people_groups (principal_id, group_name, search_text)
           SELECT $1, * FROM unnest($2::text[], $3::text[]) ON CONFLICT DO NOTHING`,
    values: [id, groups, groups.map(toSearchText)],
  });
}
