const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const MAX_INT4 = 2_147_483_647;

/**
 * Returns whether an id can be stored. Other ids cannot be found either: the database would refuse the comparison, and
 * a lookup of an invalid id is not a server error.
 */
export function isStorableId(id: string): boolean {
  return UUID.test(id);
}

/** Returns whether PostgreSQL can store a text, which must not contain NUL. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0');
}

export function isStorableInteger(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) <= MAX_INT4;
}
