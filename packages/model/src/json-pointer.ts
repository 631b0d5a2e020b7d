import type { Json } from './json.js';

/** Returns a name as a segment of a JSON Pointer (RFC 6901, 3). */
export function escapePointer(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Returns the name that a segment encodes (RFC 6901, 4). */
export function unescapePointer(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Returns the JSON Pointer of a path of names and numbers. */
export function pathToPointer(path: readonly PropertyKey[]): string {
  return path.map((segment) => `/${escapePointer(String(segment))}`).join('');
}

/** Returns the value at a JSON Pointer, following only own properties; `undefined` if there is none. */
export function getValueAtPointer(root: Json, pointer: string): Json | undefined {
  let found: Json | undefined = root;
  for (const segment of pointer.split('/').slice(1)) {
    const name = unescapePointer(segment);
    found =
      typeof found === 'object' && found !== null && Object.hasOwn(found, name)
        ? (found as Readonly<Record<string, Json>>)[name]
        : undefined;
  }
  return found;
}
