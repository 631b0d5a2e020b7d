import { foldCase } from '@countersign/model';
import type { Pool } from 'pg';
import { inTransaction } from '../database/transaction.js';
import type { Queryable } from '../database/transaction.js';
import { isStorableText } from '../queries/storable.js';

/** Takes the place of the names that are known of a person, unless those are from a token that was issued later. */
export async function noteUserNames(pool: Pool, id: string, names: readonly string[], issuedAt: number): Promise<void> {
  const values = [id, [...new Set(names.map(foldCase))].sort()];
  await inTransaction(pool, async (transaction) => {
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
  });
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

/** The ids of the people who have a user name. */
export async function peopleCalled(database: Queryable, name: string): Promise<string[]> {
  if (!isStorableText(name)) return [];
  const { rows } = await database.query({
    name: 'people_called',
    text: 'SELECT principal_id FROM user_names WHERE name = $1 ORDER BY principal_id',
    values: [foldCase(name)],
  });
  return rows.map((row) => String(row['principal_id']));
}
