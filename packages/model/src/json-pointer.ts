import type { Json } from './json.js';

/** A segment of a JSON Pointer (RFC 6901, 3). */
export function escapePointer(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The name that a segment stands for (RFC 6901, 4). */
export function unescapePointer(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The JSON Pointer of a path of names and numbers. */
export function pointerOfPath(path: readonly PropertyKey[]): string {
  return path.map((segment) => `/${escapePointer(String(segment))}`).join('');
}

/** What a JSON Pointer leads to, by own members alone; `undefined`: nothing is there. */
export function valueAtPointer(root: Json, pointer: string): Json | undefined {
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
