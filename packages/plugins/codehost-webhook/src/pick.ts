import type { Json, JsonObject } from '@countersign/core/plugin';
import { isJsonObject } from '@countersign/model';

/** Longest texts that are taken over, in UTF-16 code units. */
export const MAX_LINE = 1_000;
export const MAX_TEXT = 16_384;
/** Most items of a list that are taken over. */
export const MAX_ITEMS = 50;

/** A value somewhere inside, or `undefined`. */
export function at(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (inner, key) => (isJsonObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    value,
  );
}

/** An object somewhere inside, or `undefined`. */
export function objectAt(value: Json | undefined, ...path: readonly string[]): JsonObject | undefined {
  const found = at(value, ...path);
  return isJsonObject(found) ? found : undefined;
}

/** A text such as it can be stored (no NUL, no half of a surrogate pair), cut where it is too long; `null` where there is none. */
export function text(value: Json | undefined, max: number = MAX_LINE): string | null {
  return typeof value === 'string' ? value.slice(0, max).replaceAll('\0', '').toWellFormed() : null;
}

export function integer(value: Json | undefined): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
}

export function flag(value: Json | undefined): boolean | null {
  return typeof value === 'boolean' ? value : null;
}

/** The first items of a list, each as something; those that are nothing are left out. */
export function items(value: Json | undefined, read: (item: Json) => Json | null): Json[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, MAX_ITEMS).flatMap((item) => {
    const taken = read(item);
    return taken === null ? [] : [taken];
  });
}
