const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const MAX_INT4 = 2_147_483_647;

/**
 * What can't be stored can't be found either. The database would refuse to compare with it, and a look-up of nonsense
 * from outside is no failure of the server.
 */
export function isStorableId(id: string): boolean {
  return UUID.test(id);
}

/** PostgreSQL has no place for NUL in texts. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0');
}

export function isStorableInteger(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) <= MAX_INT4;
}
