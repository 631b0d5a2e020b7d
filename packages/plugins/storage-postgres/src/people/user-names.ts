import type { TokenUserNames } from '@countersign/core/ports';
import { foldCase } from '@countersign/model';
import type { Pool } from 'pg';
import { bindAbsences } from '../absences/bind-absences.js';
import { inTransaction } from '../database/transaction.js';
import type { Queryable } from '../database/transaction.js';
import { isStorableText } from '../queries/storable.js';
import { isKnownPerson } from './is-known-person.js';
import { lockNames } from './lock-names.js';

/** Implements {@link PeopleStore.recordUserNames}. Absences set under one of the names become those of the person. */
export async function recordUserNames(pool: Pool, { id, names, issuedAt, at }: TokenUserNames): Promise<void> {
  await inTransaction(pool, async (transaction) => {
    const foldedNames = [...new Set((names ?? []).map(foldCase))].sort();
    await lockNames(transaction, [id, ...foldedNames]);
    const { rows } = await transaction.query({
      name: 'note_source_of_user_names',
      // A token without names counts as the oldest possible one.
      text: `INSERT INTO user_name_sources AS known (principal_id, issued_at) VALUES ($1, $2)
        ON CONFLICT (principal_id) DO UPDATE SET issued_at = excluded.issued_at WHERE known.issued_at <= excluded.issued_at
        RETURNING xmax = 0 AS is_new`,
      values: [id, new Date(names === null ? 0 : issuedAt)],
    });
    if (rows[0] === undefined) return;
    const isNew = rows[0]['is_new'] === true;
    if (names !== null) await replaceNames(transaction, id, foldedNames);
    if (names !== null || isNew) await bindAbsences(transaction, { id, userNames: foldedNames, isNew }, at);
  });
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

export async function findUserNames(database: Queryable, id: string): Promise<string[]> {
  if (!isStorableText(id)) return [];
  const { rows } = await database.query({
    name: 'user_names_of',
    text: 'SELECT name FROM user_names WHERE principal_id = $1 ORDER BY name',
    values: [id],
  });
  return rows.map((row) => String(row['name']));
}

/** Returns the ids of the people with this user name, and the name itself if it is the id of a known person. */
export async function findPeopleByName(database: Queryable, name: string): Promise<string[]> {
  if (!isStorableText(name)) return [];
  const { rows } = await database.query({
    name: 'people_called',
    text: `SELECT principal_id FROM user_names WHERE name = $1
           UNION SELECT $2::text COLLATE "C" WHERE ${isKnownPerson('$2')} ORDER BY principal_id`,
    values: [foldCase(name), name],
  });
  return rows.map((row) => String(row['principal_id']));
}
