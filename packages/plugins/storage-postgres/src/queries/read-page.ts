import type { Knex } from 'knex';
import pg from 'pg';
import type { JsonObject } from '@countersign/core/plugin';
import type { Count, PageRequest } from '@countersign/core/ports';
import { readRows } from '../database/read-rows.js';
import type { Condition } from './condition.js';
import { decodeCursor, encodeCursor } from './cursor.js';
import { pageStatement } from './page-statement.js';
import { isStorableText } from './storable.js';

export interface KeyColumn {
  /** The column or expression, as the index has it. */
  readonly sql: string;
  readonly type: 'uuid' | 'timestamptz' | 'smallint' | 'integer' | 'text' | 'boolean';
}

/** A column in front of the key, and its one value. */
export interface PinnedColumn extends KeyColumn {
  readonly value: string;
}

/**
 * A list that is read by its key. The key with the columns pinned in front of it must be an index: that is what keeps
 * the cost of a page from growing with the table.
 */
export interface PageQuery {
  readonly table: string;
  /** What the rows come from, where it is not the table alone: SQL of something that has its name. */
  readonly source?: string | undefined;
  /** Names the list in cursors. */
  readonly list: string;
  /** What the cursor is bound to; nothing that changes by itself from page to page. */
  readonly filter: JsonObject;
  readonly columns: readonly string[];
  /** Ways to rows that have none in common: they are read beside each other and merged. */
  readonly branches: readonly PageBranch[];
  /** The last one is unique. */
  readonly key: readonly KeyColumn[];
  readonly direction: 'asc' | 'desc';
  /** Keys between which to read: behind `from`, before `until` (either may be the beginning of a key). */
  readonly from?: readonly string[] | undefined;
  readonly until?: readonly string[] | undefined;
  /** What is put together for the rows of the page alone: SQL of one more column, and of what it is read from. */
  readonly extra?: { readonly column: string; readonly join: string } | undefined;
}

export interface PageBranch {
  /** Values in front of the key. */
  readonly pinned: readonly PinnedColumn[];
  /** What a partial index asks for. */
  readonly predicate?: string | undefined;
  /** Other conditions: looked at row by row, within the window. */
  readonly scanned: readonly Condition[];
  /** Whether it reads what lies behind `until` instead. */
  readonly beyond?: boolean;
  /** How many rows may be looked at, where that is fewer than {@link SCAN_WINDOW}. */
  readonly window?: number;
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
  integer: /^\d{1,9}$/,
  // eslint-disable-next-line no-control-regex -- PostgreSQL has no place for NUL
  text: /^[^\u0000]{0,1000}$/,
  boolean: /^(true|false)$/,
});

/** `text[]`: the driver reads it, though its types don't name it. */
const TEXT_ARRAY = 1009;
const parserOf = pg.types.getTypeParser as (oid: number, format: 'text') => (text: string) => string[];
const listOfTexts = parserOf(TEXT_ARRAY, 'text');

/** One page by its key: the cost is that of its rows, not of those before it. */
export async function readPage(knex: Knex, query: PageQuery, { limit, cursor }: PageRequest): Promise<RawPage> {
  const after =
    cursor === undefined
      ? undefined
      : decodeCursor(
          query.list,
          query.filter,
          cursor,
          query.key.map(({ type }) => PATTERNS[type]),
        );
  const { sql, bindings } = pageStatement(query, after, limit);
  if (bindings.some((value) => typeof value === 'string' && !isStorableText(value)))
    return { rows: [], nextCursor: null };
  const found = await readRows(knex, sql, bindings);
  const rows: Record<string, unknown>[] = [];
  let end: Record<string, unknown> | undefined;
  for (const row of found) {
    if (rows.length === limit) end ??= rows.at(-1);
    if (end !== undefined) break;
    if (row['matches'] === true) rows.push(row);
    if (row['is_end'] === true) end = row;
  }
  return {
    rows,
    nextCursor: end === undefined ? null : encodeCursor(query.list, query.filter, listOfTexts(String(end['page_key']))),
  };
}

/** How many rows all pages have: looks at as many as one page of `atMost` may. */
export async function countRows(knex: Knex, query: PageQuery, atMost: number): Promise<Count> {
  const { sql, bindings } = pageStatement(query, undefined, atMost);
  if (bindings.some((value) => typeof value === 'string' && !isStorableText(value))) return { count: 0, exact: true };
  const counting = `SELECT count(*) FILTER (WHERE matches) AS found, COALESCE(bool_or(is_end), false) AS is_cut FROM (${sql}) AS counted`;
  const [{ found, is_cut: isCut } = { found: 0, is_cut: false }] = (await readRows(knex, counting, bindings)) as {
    found: number;
    is_cut: boolean;
  }[];
  return { count: Math.min(found, atMost), exact: !isCut && found <= atMost };
}
