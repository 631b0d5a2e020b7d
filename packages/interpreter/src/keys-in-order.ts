/**
 * The same value, with the keys of its objects in the order in which RFC 8785 (3.2.3) has them: by UTF-16 code units. The order in
 * which somebody wrote them means nothing (RFC 8259, section 4), is not part of any hash, and does not survive a database; but
 * lists and texts can be made of it (`get entries`, `string`). What is in order already is returned as it is.
 *
 * @param value JSON, or a command of it
 */
export function keysInOrder<T>(value: T): T {
  return inOrder(value) as T;
}

function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? listInOrder(value) : objectInOrder(value as Readonly<Record<string, unknown>>);
}

function listInOrder(list: readonly unknown[]): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let index = 0; index < list.length; index += 1) {
    const item = inOrder(list[index]);
    if (item !== list[index]) (copy ??= [...list])[index] = item;
  }
  return copy ?? list;
}

function objectInOrder(object: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const keys = Object.keys(object);
  let isChanged = false;
  for (let index = 1; index < keys.length; index += 1) {
    if ((keys[index - 1] ?? '') > (keys[index] ?? '')) {
      isChanged = true;
      keys.sort();
      break;
    }
  }
  const members = keys.map((key): [string, unknown] => {
    const member = inOrder(object[key]);
    if (member !== object[key]) isChanged = true;
    return [key, member];
  });
  return isChanged ? Object.fromEntries(members) : object;
}
