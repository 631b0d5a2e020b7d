/**
 * Returns the same value with sorted object keys. Array indices come first in ascending order, as in every JavaScript
 * object (ECMA-262, OrdinaryOwnPropertyKeys). The other keys are sorted by UTF-16 code units, as in RFC 8785 (3.2.3).
 * The original order has no meaning (RFC 8259, section 4), is not part of any hash, and is not preserved by a database,
 * but FEEL functions such as `get entries` and `string` expose it. A sorted value is returned unchanged.
 *
 * @param value a JSON value, or a command that consists of JSON values
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
  // An assignment would set the prototype if a key is `__proto__`.
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
