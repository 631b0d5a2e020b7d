/**
 * Returns the SQL condition that a value is the id of a person who has signed in or acted.
 *
 * @param id SQL expression of a text with the collation "C"
 */
export function isKnownPerson(id: string): string {
  return `(EXISTS (SELECT FROM user_name_sources k WHERE k.principal_id = ${id})
    OR EXISTS (SELECT FROM principals k WHERE k.principal_id = (${id} COLLATE "default")))`;
}
