import type { UserNamesOfToken } from '@countersign/core/ports';
import { foldCase } from '@countersign/model';
import type { Pool } from 'pg';
import { bindAbsences } from '../absences/bind-absences.js';
import { inTransaction } from '../database/transaction.js';
import type { Queryable } from '../database/transaction.js';
import { isStorableText } from '../queries/storable.js';
import { isKnown } from './is-known.js';

/** As {@link PeopleStore.noteUserNames}. Absences that were set under one of the names become those of the person. */
export async function noteUserNames(pool: Pool, { id, names, issuedAt, at }: UserNamesOfToken): Promise<void> {
  await inTransaction(pool, async (transaction) => {
    if (names === null) {
      if (await noteId(transaction, id)) await bindAbsences(transaction, id, [], at);
      return;
    }
    const folded = [...new Set(names.map(foldCase))].sort();
    const values = [id, folded];
    // It also keeps tokens of one person apart that arrive at the same time.
    const { rows } = await transaction.query({
      name: 'note_source_of_user_names',
      text: `INSERT INTO user_name_sources AS known (principal_id, issued_at) VALUES ($1, $2)
        ON CONFLICT (principal_id) DO UPDATE SET issued_at = excluded.issued_at WHERE known.issued_at <= excluded.issued_at RETURNING 1`,
      values: [id, new Date(issuedAt)],
    });
    if (rows.length === 0) return;
    await transaction.query({
      name: 'forget_former_user_names',
      text: 'DELETE FROM user_names WHERE principal_id = $1 AND name <> ALL($2::text[])',
      values,
    });
    await transaction.query({
      name: 'note_user_names',
      text: 'INSERT INTO user_names (principal_id, name) SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING',
      values,
    });
    await bindAbsences(transaction, id, folded, at);
  });
}

/** Somebody without user names yet. @returns whether they are new */
async function noteId(transaction: Queryable, id: string): Promise<boolean> {
  const { rows } = await transaction.query({
    name: 'note_id_without_user_names',
    text: `INSERT INTO user_name_sources (principal_id, issued_at) VALUES ($1, 'epoch') ON CONFLICT DO NOTHING RETURNING 1`,
    values: [id],
  });
  return rows.length > 0;
}

export async function userNamesOf(database: Queryable, id: string): Promise<string[]> {
  if (!isStorableText(id)) return [];
  const { rows } = await database.query({
    name: 'user_names_of',
    text: 'SELECT name FROM user_names WHERE principal_id = $1 ORDER BY name',
    values: [id],
  });
  return rows.map((row) => String(row['name']));
}

/** The ids of the people who have a user name; with the name itself where it is the id of somebody known. */
export async function peopleCalled(database: Queryable, name: string): Promise<string[]> {
  if (!isStorableText(name)) return [];
  const { rows } = await database.query({
    name: 'people_called',
    text: `SELECT principal_id FROM user_names WHERE name = $1
           UNION SELECT $2::text COLLATE "C" WHERE ${isKnown('$2')} ORDER BY principal_id`,
    values: [foldCase(name), name],
  });
  return rows.map((row) => String(row['principal_id']));
}

export async function hasUserNames(database: Queryable): Promise<boolean> {
  const { rows } = await database.query({ text: 'SELECT EXISTS (SELECT FROM user_names) AS found', values: [] });
  return rows[0]?.['found'] === true;
}
