import type { JsonObject, JsonValue } from '@countersign/contract';

/** An object that contains a value before and after a change. */
export interface Change {
  readonly before: JsonValue;
  readonly after: JsonValue;
  /** The other members. */
  readonly rest: JsonObject;
}

/** Returns the change that an object describes with its members `before` and `after`; `undefined` if it has not both. */
export function splitChange(value: JsonValue): Change | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  if (!Object.hasOwn(value, 'before') || !Object.hasOwn(value, 'after')) return undefined;
  const { before = null, after = null, ...rest } = value;
  return { before, after, rest };
}
