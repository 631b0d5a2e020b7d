import type { JsonObject, JsonValue } from '@countersign/contract';

/** Maximum number of columns; wider tables are displayed as a tree. */
const MAX_COLUMNS = 12;

/**
 * Returns the names of all members of the rows, in the order in which they first appear; `undefined` if the value is
 * not a table: a list of objects with few different members.
 */
export function findColumns(value: JsonValue): readonly string[] | undefined {
  if (!isTableRows(value)) return undefined;
  const columns = new Set(value.flatMap((row) => Object.keys(row)));
  return columns.size === 0 || columns.size > MAX_COLUMNS ? undefined : [...columns];
}

/** Returns whether a value is a list of objects with at least one object. */
export function isTableRows(value: JsonValue): value is JsonObject[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((row) => typeof row === 'object' && row !== null && !Array.isArray(row))
  );
}
