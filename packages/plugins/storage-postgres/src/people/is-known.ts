/** Whether a value is the id of somebody who has signed in or acted. @param id as SQL, text of the collation "C" */
export function isKnown(id: string): string {
  return `(EXISTS (SELECT FROM user_name_sources k WHERE k.principal_id = ${id})
    OR EXISTS (SELECT FROM principals k WHERE k.principal_id = (${id} COLLATE "default")))`;
}
