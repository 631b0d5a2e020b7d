import type { Json, JsonObject } from '@countersign/core/plugin';
import { isJsonObject } from '@countersign/model';

/** Maximum lengths of strings, in UTF-16 code units. */
export const MAX_LINE = 1_000;
export const MAX_TEXT = 16_384;
/** Maximum number of list items. */
export const MAX_ITEMS = 50;

/** Returns the value at a path, or `undefined`. */
export function at(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (inner, key) => (isJsonObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    value,
  );
}

/** Returns the object at a path, or `undefined`. */
export function objectAt(value: Json | undefined, ...path: readonly string[]): JsonObject | undefined {
  const found = at(value, ...path);
  return isJsonObject(found) ? found : undefined;
}

/** Returns a string in storable form (without NUL or lone surrogates), cut to a maximum length, or `null`. */
export function text(value: Json | undefined, max: number = MAX_LINE): string | null {
  return typeof value === 'string' ? value.slice(0, max).replaceAll('\0', '').toWellFormed() : null;
}

export function integer(value: Json | undefined): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
}

export function flag(value: Json | undefined): boolean | null {
  return typeof value === 'boolean' ? value : null;
}

/** Converts the first items of a list, leaving out those that convert to `null`. */
export function items(value: Json | undefined, read: (item: Json) => Json | null): Json[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, MAX_ITEMS).flatMap((item) => {
    const taken = read(item);
    return taken === null ? [] : [taken];
  });
}
