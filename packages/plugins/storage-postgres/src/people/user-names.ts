import { foldCase } from '@countersign/model';
import type { Queryable } from '../database/transaction.js';
import { isStorableText } from '../queries/storable.js';
import { isKnownPerson } from './is-known-person.js';

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
