import type { Knex } from 'knex';
import type { JsonObject, PageRequest } from '@countersign/core/plugin';
import { allOf, type Condition } from './condition.js';
import { decodeCursor, encodeCursor } from './cursor.js';

/**
 * How many rows a page may look at for conditions that no index serves. Where that does not fill a page, it comes out
 * shorter (even empty) with a cursor to go on from, so that no page costs more than this however large the table is.
 */
export const SCAN_WINDOW = 10_000;

export interface KeyColumn {
  /** The column or expression, as the index has it. */
  readonly sql: string;
  readonly type: 'uuid' | 'timestamptz' | 'smallint' | 'text';
}

export interface PageQuery {
  readonly table: string;
  /** Names the list in cursors. */
  readonly list: string;
  /** What the cursor is bound to; nothing that changes by itself from page to page. */
  readonly filter: JsonObject;
  readonly columns: readonly string[];
  /** The last one is unique. */
  readonly key: readonly KeyColumn[];
  readonly direction: 'asc' | 'desc';
  /** Served by an index together with the key. */
  readonly indexed: readonly Condition[];
  /** The rest; looked at row by row within the scan window. */
  readonly scanned: readonly Condition[];
}

export interface RawPage {
  readonly rows: Record<string, unknown>[];
  readonly nextCursor: string | null;
}

const PATTERNS: Readonly<Record<KeyColumn['type'], RegExp>> = Object.freeze({
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  // Seconds since the epoch.
  timestamptz: /^(Infinity|-?\d{1,12}(\.\d{1,6})?)$/,
  smallint: /^\d{1,4}$/,
  // eslint-disable-next-line no-control-regex -- PostgreSQL has no place for NUL
  text: /^[^\u0000]{0,1000}$/,
});

/** One page by its key: the cost is that of its rows, not of those before it. */
export async function readPage(knex: Knex, query: PageQuery, { limit, cursor }: PageRequest): Promise<RawPage> {
  const after = cursor === undefined ? undefined : decodeCursor(query.list, query.filter, cursor, query.key.map(({ type }) => PATTERNS[type]));
  const { sql, bindings } = pageStatement(query, after, limit);
  const { rows } = await knex.raw<{ rows: Record<string, unknown>[] }>(sql, bindings);
  const matching = rows.filter((row) => row['matches'] === true);
  const items = matching.slice(0, limit);
  const last = matching.length > limit ? items.at(-1) : rows.find((row) => row['is_end'] === true);
  const nextCursor = last === undefined ? null : encodeCursor(query.list, query.filter, last['page_key'] as string[]);
  return { rows: items, nextCursor };
}

/**
 * The inner query runs along the index and is a fence for the planner (LIMIT), so the conditions of the outer one can't
 * lead it to another plan. The row that ends the window is always given back, to go on from.
 */
export function pageStatement(query: PageQuery, after: readonly string[] | undefined, limit: number): { sql: string; bindings: Knex.RawBinding[] } {
  const { key, direction } = query;
  const indexed = [...query.indexed, ...(after === undefined ? [] : [behind(key, direction, after)])];
  const inner = allOf(indexed);
  const order = key.map(({ sql }) => `${sql} ${direction}`).join(', ');
  const pageKey = `ARRAY[${key.map(({ sql, type }) => (type === 'timestamptz' ? `extract(epoch FROM ${sql})::text` : `${sql}::text`)).join(', ')}]`;
  if (query.scanned.length === 0) {
    return {
      sql: `SELECT ${query.columns.join(', ')}, ${pageKey} AS page_key, true AS matches, false AS is_end
            FROM ${query.table} WHERE ${inner.sql} ORDER BY ${order} LIMIT ?`,
      bindings: [...inner.values, limit + 1],
    };
  }
  const outer = allOf(query.scanned);
  return {
    sql: `SELECT ${query.columns.join(', ')}, ${pageKey} AS page_key, (${outer.sql}) AS matches, position = ${SCAN_WINDOW} AS is_end
          FROM (SELECT *, row_number() OVER (ORDER BY ${order}) AS position FROM ${query.table}
                WHERE ${inner.sql} ORDER BY ${order} LIMIT ${SCAN_WINDOW}) AS ${query.table}
          WHERE (${outer.sql}) OR position = ${SCAN_WINDOW} ORDER BY ${order} LIMIT ?`,
    bindings: [...outer.values, ...inner.values, ...outer.values, limit + 1],
  };
}

function behind(key: readonly KeyColumn[], direction: 'asc' | 'desc', after: readonly string[]): Condition {
  return {
    sql: `(${key.map(({ sql }) => sql).join(', ')}) ${direction === 'asc' ? '>' : '<'} (${key.map(({ type }) => (type === 'timestamptz' ? 'to_timestamp(?::float8)' : `?::${type}`)).join(', ')})`,
    values: after,
  };
}
