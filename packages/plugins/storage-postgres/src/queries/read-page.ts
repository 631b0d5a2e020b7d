import type { Knex } from 'knex';
import pg from 'pg';
import type { JsonObject } from '@countersign/core/plugin';
import type { Count, PageRequest } from '@countersign/core/ports';
import { readRows } from '../database/read-rows.js';
import type { Condition } from './condition.js';
import { decodeCursor, encodeCursor, TEXT_PATTERN } from './cursor.js';
import { buildPageStatement } from './page-statement.js';
import { isStorableText } from './storable.js';

export interface KeyColumn {
  /** Column or expression, as in the index. */
  readonly sql: string;
  readonly type: 'uuid' | 'timestamptz' | 'smallint' | 'integer' | 'text' | 'boolean';
}

/** Column before the key, with its single value. */
export interface PinnedColumn extends KeyColumn {
  readonly value: string;
}

/**
 * List that is read by its key. The pinned columns followed by the key must form an index, so that the cost of a page
 * does not grow with the table.
 */
export interface PageQuery {
  readonly table: string;
  /**
   * Source of the rows, if it is not the table itself: SQL with the name of the table as alias. Ids are values, so that
   * the statement is prepared once.
   */
  readonly source?: Condition | undefined;
  /** Name of the list in cursors. */
  readonly list: string;
  /** Filter to which the cursor is bound, without values that change between pages, such as the current time. */
  readonly filter: JsonObject;
  readonly columns: readonly string[];
  /** Disjoint sets of rows, which are read separately and merged. */
  readonly branches: readonly PageBranch[];
  /** Sort key. Its last column is unique. */
  readonly key: readonly KeyColumn[];
  readonly direction: 'asc' | 'desc';
  /** Key range to read: after `from`, before `until` (either may be a prefix of a key). */
  readonly from?: readonly string[] | undefined;
  readonly until?: readonly string[] | undefined;
  /**
   * Additional data that is computed only for the rows of the page: SQL of an additional column and of the join that
   * provides it.
   */
  readonly extra?: { readonly column: string; readonly join: string } | undefined;
}

export interface PageBranch {
  /** Columns with fixed values before the key. */
  readonly pinned: readonly PinnedColumn[];
  /** Predicate of a partial index. */
  readonly predicate?: string | undefined;
  /** Other conditions, which are checked row by row within the window. */
  readonly scanned: readonly Condition[];
  /** Whether the branch reads the rows beyond `until` instead. */
  readonly isBeyondUntil?: boolean;
  /** Maximum number of rows to scan, if lower than {@link SCAN_WINDOW}. */
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
  text: TEXT_PATTERN,
  boolean: /^(true|false)$/,
});

/** Type id of `text[]`: the driver can parse it, although its type definitions omit it. */
const TEXT_ARRAY = 1009;
const getTypeParser = pg.types.getTypeParser as (oid: number, format: 'text') => (text: string) => string[];
const parseTextArray = getTypeParser(TEXT_ARRAY, 'text');

/**
 * Reads one page by its key. The cost depends only on the rows that the page returns or scans, not on those before
 * them.
 */
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
  const { sql, bindings } = buildPageStatement(query, after, limit);
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
    nextCursor:
      end === undefined ? null : encodeCursor(query.list, query.filter, parseTextArray(String(end['page_key']))),
  };
}

/** Counts the rows of all pages. Scans at most as many rows as one page of `maxCount` items. */
export async function countRows(knex: Knex, query: PageQuery, maxCount: number): Promise<Count> {
  const { sql, bindings } = buildPageStatement(query, undefined, maxCount);
  if (bindings.some((value) => typeof value === 'string' && !isStorableText(value))) return { count: 0, exact: true };
  const countSql = `SELECT count(*) FILTER (WHERE matches) AS found, COALESCE(bool_or(is_end), false) AS is_cut FROM (${sql}) AS counted`;
  const [{ found, is_cut: isCut } = { found: 0, is_cut: false }] = (await readRows(knex, countSql, bindings)) as {
    found: number;
    is_cut: boolean;
  }[];
  return { count: Math.min(found, maxCount), exact: !isCut && found <= maxCount };
}
