import type { JsonObject, JsonValue } from '@countersign/contract';

/** Maximum number of columns; wider tables are displayed as a tree. */
const MAX_COLUMNS = 12;

export interface JsonTable {
  /** The names of all members of the rows, in the order in which they first appear. */
  readonly columns: readonly string[];
  readonly rows: readonly JsonObject[];
}

/** Returns a value as a table; `undefined` if it is not one: a list of objects with few different members. */
export function findTable(value: JsonValue): JsonTable | undefined {
  if (!Array.isArray(value) || !value.every(isRow)) return undefined;
  const columns = new Set(value.flatMap((row) => Object.keys(row)));
  return columns.size === 0 || columns.size > MAX_COLUMNS ? undefined : { columns: [...columns], rows: value };
}

function isRow(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
