import type { JsonObject } from '@countersign/core/plugin';
import type { KnownGroup, KnownPerson, Page, PageRequest, PeopleFilter, UsersAndGroups } from '@countersign/core/ports';
import { foldCase } from '@countersign/model';
import type { Queryable } from '../database/transaction.js';
import { toContainsPattern } from '../queries/condition.js';
import { decodeCursor, encodeCursor, TEXT_PATTERN } from '../queries/cursor.js';
import { isStorableText } from '../queries/storable.js';
import { isKnownPerson } from './is-known-person.js';
import { toSearchText } from './to-search-text.js';

type Row = Readonly<Record<string, unknown>>;

export function listPeople(database: Queryable, filter: PeopleFilter, page: PageRequest): Promise<Page<KnownPerson>> {
  return listByName(database, 'people', filter, page, {
    name: 'list_people',
    // A user name that others also have, or that is the id of another person, does not identify the person. A server of
    // an earlier version may have replaced the user names.
    text: `SELECT p.sort_name, p.principal_id, p.name, p.may_decide,
             CASE WHEN NOT EXISTS (SELECT FROM user_names u WHERE u.name = lower(p.user_name) AND u.principal_id = p.principal_id)
               OR EXISTS (SELECT FROM user_names u WHERE u.name = lower(p.user_name) AND u.principal_id <> p.principal_id)
               OR (p.user_name <> p.principal_id AND ${isKnownPerson('p.user_name')})
             THEN NULL ELSE p.user_name END AS user_name
           FROM people p
           WHERE p.search_text LIKE ALL($1::text[])
             AND ($2::text IS NULL OR (p.sort_name, p.principal_id) > ($2 COLLATE "C", $3 COLLATE "C"))
           ORDER BY p.sort_name, p.principal_id LIMIT $4`,
    key: (row) => [String(row['sort_name']), String(row['principal_id'])],
    toItem: (row) => ({
      id: String(row['principal_id']),
      displayName: row['name'] as string | null,
      userName: row['user_name'] as string | null,
      mayDecide: row['may_decide'] === true,
    }),
  });
}

export function listGroups(database: Queryable, filter: PeopleFilter, page: PageRequest): Promise<Page<KnownGroup>> {
  return listByName(database, 'groups', filter, page, {
    name: 'list_groups',
    text: `SELECT g.group_name, (SELECT count(*) FROM people_groups m JOIN people p USING (principal_id)
             WHERE m.group_name = g.group_name AND p.may_decide) AS deciders
           FROM (SELECT DISTINCT group_name FROM people_groups
             WHERE search_text LIKE ALL($1::text[])
               AND ($2::text IS NULL OR (group_name, '') > ($2 COLLATE "C", $3 COLLATE "C"))
             ORDER BY group_name LIMIT $4) AS g
           ORDER BY g.group_name`,
    key: (row) => [String(row['group_name']), ''],
    toItem: (row) => ({ name: String(row['group_name']), deciders: Number(row['deciders']) }),
  });
}

interface NamedList<Item> {
  readonly name: string;
  /** Takes the patterns, the two parts of the key after which the page starts, and the maximum number of rows. */
  readonly text: string;
  key(row: Row): readonly string[];
  toItem(row: Row): Item;
}

/**
 * Reads a page of a list that is sorted by name. A search reads all rows, because a chooser needs the matches at once.
 */
async function listByName<Item>(
  database: Queryable,
  list: string,
  { search = '' }: PeopleFilter,
  { limit, cursor }: PageRequest,
  { name, text, key, toItem }: NamedList<Item>,
): Promise<Page<Item>> {
  const filter: JsonObject = { search };
  const after = cursor === undefined ? [null, null] : decodeCursor(list, filter, cursor, [TEXT_PATTERN, TEXT_PATTERN]);
  if (!isStorableText(search) || !after.every((part) => part === null || isStorableText(part)))
    return { items: [], nextCursor: null };
  const { rows } = await database.query({ name, text, values: [toPatterns(search), ...after, limit + 1] });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(toItem),
    nextCursor: rows.length > limit && last !== undefined ? encodeCursor(list, filter, key(last)) : null,
  };
}

function toPatterns(search: string): string[] {
  return toSearchText(search)
    .split(/\s+/)
    .filter((word) => word !== '')
    .map(toContainsPattern);
}

/** Implements {@link PeopleStore.findUnknownNames}. */
export async function findUnknownNames(
  database: Queryable,
  { users, groups }: UsersAndGroups,
): Promise<UsersAndGroups> {
  const { rows } = await database.query({
    name: 'find_known_names',
    text: `SELECT
        ARRAY(SELECT n.name FROM unnest($1::text[], $2::text[]) AS n(name, folded)
          WHERE EXISTS (SELECT FROM user_names u WHERE u.name = n.folded)
             OR EXISTS (SELECT FROM user_name_sources k WHERE k.principal_id = n.name)
             OR EXISTS (SELECT FROM principals a WHERE a.principal_id = n.name AND a.type = 'user')) AS users,
        ARRAY(SELECT n.name FROM unnest($3::text[]) AS n(name)
          WHERE EXISTS (SELECT FROM people_groups g WHERE g.group_name = n.name)) AS groups`,
    values: [users.filter(isStorableText), users.filter(isStorableText).map(foldCase), groups.filter(isStorableText)],
  });
  const known = rows[0] as unknown as UsersAndGroups;
  return {
    users: users.filter((name) => !known.users.includes(name)),
    groups: groups.filter((name) => !known.groups.includes(name)),
  };
}
