import type { Json, JsonObject } from '@countersign/core/plugin';
import { isJsonObject } from '@countersign/model';

/** Maximum lengths of strings, in UTF-16 code units. */
export const MAX_LINE_LENGTH = 1_000;
export const MAX_TEXT_LENGTH = 16_384;
/** Maximum number of list items. */
export const MAX_ITEMS = 50;

/** Returns the value at a path, or `undefined`. */
export function valueAt(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (inner, key) => (isJsonObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    value,
  );
}

/** Returns the object at a path, or `undefined`. */
export function objectAt(value: Json | undefined, ...path: readonly string[]): JsonObject | undefined {
  const found = valueAt(value, ...path);
  return isJsonObject(found) ? found : undefined;
}

/** Returns a string in storable form (without NUL or lone surrogates), cut to a maximum length, or `null`. */
export function readText(value: Json | undefined, max: number = MAX_LINE_LENGTH): string | null {
  return typeof value === 'string' ? value.slice(0, max).replaceAll('\0', '').toWellFormed() : null;
}

export function readInteger(value: Json | undefined): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
}

export function readBoolean(value: Json | undefined): boolean | null {
  return typeof value === 'boolean' ? value : null;
}

/** Converts the first items of a list, leaving out those that convert to `null`. */
export function convertItems(value: Json | undefined, convert: (item: Json) => Json | null): Json[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, MAX_ITEMS).flatMap((item) => {
    const converted = convert(item);
    return converted === null ? [] : [converted];
  });
}
