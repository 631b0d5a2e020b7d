/**
 * Returns the same value with the keys of its objects in one order: by UTF-16 code units, as in RFC 8785 (3.2.3), after
 * those that are array indices, which come first and ascending in every object (ECMA-262, OrdinaryOwnPropertyKeys). The
 * written order has no meaning (RFC 8259, section 4), is not part of any hash, and is not preserved by a database, but
 * lists and strings can be derived from it (`get entries`, `string`). A value already in order is returned unchanged.
 *
 * @param value JSON, or a command that consists of it
 */
export function sortKeys<T>(value: T): T {
  return sortKeysInValue(value) as T;
}

function sortKeysInValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? sortKeysInList(value) : sortKeysInObject(value as Readonly<Record<string, unknown>>);
}

function sortKeysInList(list: readonly unknown[]): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let index = 0; index < list.length; index += 1) {
    const item = sortKeysInValue(list[index]);
    if (item !== list[index]) (copy ??= [...list])[index] = item;
  }
  return copy ?? list;
}

function sortKeysInObject(object: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const keys = Object.keys(object);
  const isSorted = areKeysSorted(keys);
  let changed: Map<string, unknown> | undefined;
  for (const key of keys) {
    const member = sortKeysInValue(object[key]);
    if (member !== object[key]) (changed ??= new Map()).set(key, member);
  }
  if (isSorted && changed === undefined) return object;
  if (!isSorted) keys.sort();
  // Not by assignment, which would treat a member `__proto__` differently.
  return Object.fromEntries(keys.map((key) => [key, changed?.has(key) === true ? changed.get(key) : object[key]]));
}

function areKeysSorted(keys: readonly string[]): boolean {
  let before: string | undefined;
  for (const key of keys) {
    if (before !== undefined && before > key && !isArrayIndex(before)) return false;
    before = key;
  }
  return true;
}

function isArrayIndex(key: string): boolean {
  return /^(?:0|[1-9]\d{0,9})$/.test(key) && Number(key) < MAX_ARRAY_LENGTH;
}

/** Upper bound of array indices, exclusive (ECMA-262, 6.1.7). */
const MAX_ARRAY_LENGTH = 2 ** 32 - 1;
