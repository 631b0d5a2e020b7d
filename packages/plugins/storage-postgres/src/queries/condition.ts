import type { Knex } from 'knex';

/** SQL fragment with `?` for its values. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly Knex.RawBinding[];
}

export function condition(sql: string, ...values: Knex.RawBinding[]): Condition {
  return { sql, values };
}

/** Condition that never holds. */
export const NEVER: Condition = Object.freeze(condition('false'));

/** Returns the conjunction of conditions; true if there are none. */
export function allOf(conditions: readonly Condition[]): Condition {
  if (conditions.length === 0) return condition('true');
  return {
    sql: conditions.map(({ sql }) => `(${sql})`).join(' AND '),
    values: conditions.flatMap(({ values }) => values),
  };
}

export function not({ sql, values }: Condition): Condition {
  return { sql: `NOT (${sql})`, values };
}

/**
 * Returns the condition that at least one of the columns contains the text. Ignores case; wildcards in the text are
 * escaped.
 */
export function containsText(text: string, columns: readonly string[]): Condition {
  const pattern = toContainsPattern(text);
  return { sql: columns.map((column) => `${column} ILIKE ?`).join(' OR '), values: columns.map(() => pattern) };
}

/** Returns the pattern of `LIKE` for a text that contains the given one, whose wildcards are escaped. */
export function toContainsPattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, (character) => `\\${character}`)}%`;
}
