import type { Knex } from 'knex';
import { allOf, condition, type Condition } from './condition.js';
import type { KeyColumn, PageBranch, PageQuery } from './read-page.js';

/**
 * Maximum number of rows that a page may scan for conditions without an index. If they do not fill a page, the page is
 * shorter (or even empty) and has a cursor, so that no page costs more, however large the table is.
 */
export const SCAN_WINDOW = 10_000;

/** Row limits used as literals in statements. There are few, because each yields a separate statement. */
const FETCH_LIMITS = [2, 11, 21, 26, 51, 101, 201] as const;

interface Statement {
  readonly sql: string;
  readonly bindings: Knex.RawBinding[];
}

/**
 * Returns the statement for the rows of a page and at least one more, in order; each with its key, whether it
 * `matches`, and whether it ends the scan window.
 *
 * @throws {TypeError} if the limit is not an integer
 */
export function buildPageStatement(query: PageQuery, after: readonly string[] | undefined, limit: number): Statement {
  if (!Number.isSafeInteger(limit)) throw new TypeError('the page limit must be an integer');
  const { table, key, direction, extra } = query;
  const statement = mergeBranches(
    query,
    query.branches.map((branch) => buildBranchStatement(query, branch, after, limit)),
    limit,
  );
  if (extra === undefined) return statement;
  const sql = `SELECT ${table}.*, ${extra.column} FROM (${statement.sql}) AS ${table} ${extra.join} ORDER BY ${order(key, direction)}`;
  return { ...statement, sql };
}

function mergeBranches({ table, key, direction }: PageQuery, branches: readonly Statement[], limit: number): Statement {
  const [only] = branches;
  if (only !== undefined && branches.length === 1) return only;
  return {
    sql: `SELECT * FROM (${branches.map(({ sql }) => `(${sql})`).join(' UNION ALL ')}) AS ${table} ORDER BY ${order(key, direction)} LIMIT ?`,
    bindings: [...branches.flatMap(({ bindings }) => bindings), limit + 1],
  };
}

/**
 * Pinned columns are compared by range and appear in ORDER BY, although `status = 'x'` would suffice. This leaves only
 * the index that starts with them in this order. Otherwise the planner, which assumes that rows with the value are
 * evenly distributed, may follow the primary key and find none of them within 20,000 rows of a backlog.
 */
function buildBranchStatement(
  query: PageQuery,
  branch: PageBranch,
  after: readonly string[] | undefined,
  limit: number,
): Statement {
  const { key, direction, table } = query;
  const source = query.source ?? { sql: table, values: [] };
  const { pinned, predicate, scanned, window = SCAN_WINDOW, isBeyondUntil = false } = branch;
  const columns = [...pinned, ...key];
  const prefix = pinned.map(({ value }) => value);
  const [forward, backward] = direction === 'asc' ? (['>', '<'] as const) : (['<', '>'] as const);
  const from = after ?? query.from;
  const inner: Condition[] = predicate === undefined ? [] : [condition(predicate)];
  if (from !== undefined) inner.push(compare(columns, forward, [...prefix, ...from]));
  else if (prefix.length > 0) inner.push(compare(columns, `${forward}=`, prefix));
  if (query.until !== undefined && isBeyondUntil) inner.push(compare(columns, forward, [...prefix, ...query.until]));
  if (query.until !== undefined && !isBeyondUntil) inner.push(compare(columns, backward, [...prefix, ...query.until]));
  else if (prefix.length > 0) inner.push(compare(columns, `${backward}=`, prefix));
  const { sql: where, values } = allOf(inner);
  const selected = `${query.columns.join(', ')}, ${keyTexts(key)} AS page_key`;
  const orderBy = order(columns, direction);
  if (scanned.length === 0) {
    // If the limit is a parameter, PostgreSQL assumes a tenth of the table. For a large table, the generic plan then
    // looks more expensive than it is, and each page is planned again, which costs more than reading it.
    const fetchLimit = FETCH_LIMITS.find((rows) => rows > limit) ?? limit + 1;
    return {
      sql: `SELECT ${selected}, true AS matches, false AS is_end FROM ${source.sql} WHERE ${where} ORDER BY ${orderBy} LIMIT ${fetchLimit}`,
      bindings: [...source.values, ...values],
    };
  }
  const scanCondition = allOf(scanned);
  // The inner LIMIT is also an optimization fence: conditions of the outer query cannot change the plan. The outer
  // order uses names, because the planner does not recognise an expression behind the fence, and would sort again.
  const orderColumns = columns.map((_column, index) => `along_${index}`);
  return {
    sql: `SELECT ${selected}, COALESCE(${scanCondition.sql}, false) AS matches, position = ${window} AS is_end
          FROM (SELECT *, ${columns.map(({ sql }, index) => `${sql} AS ${orderColumns[index] ?? ''}`).join(', ')}, row_number() OVER (ORDER BY ${orderBy}) AS position FROM ${source.sql}
                WHERE ${where} ORDER BY ${orderBy} LIMIT ${window}) AS ${table}
          WHERE (${scanCondition.sql}) OR position = ${window} ORDER BY ${orderColumns.map((name) => `${name} ${direction}`).join(', ')} LIMIT ?`,
    bindings: [...scanCondition.values, ...source.values, ...values, ...scanCondition.values, limit + 1],
  };
}

/** Returns a condition that compares the first columns with values as a tuple, as an index does. */
function compare(
  columns: readonly KeyColumn[],
  operator: '<' | '<=' | '>' | '>=',
  values: readonly string[],
): Condition {
  const compared = columns.slice(0, values.length);
  const left = compared.map(({ sql }) => sql).join(', ');
  const right = compared
    .map(({ type }) => (type === 'timestamptz' ? 'to_timestamp(?::float8)' : `?::${type}`))
    .join(', ');
  return { sql: compared.length === 1 ? `${left} ${operator} ${right}` : `(${left}) ${operator} (${right})`, values };
}

function order(columns: readonly KeyColumn[], direction: 'asc' | 'desc'): string {
  return columns.map(({ sql }) => `${sql} ${direction}`).join(', ');
}

/**
 * Returns SQL for the key of a row, as the text of an array: only one row of a page needs it, so the others are not
 * parsed.
 */
function keyTexts(key: readonly KeyColumn[]): string {
  return `ARRAY[${key.map(({ sql, type }) => (type === 'timestamptz' ? `extract(epoch FROM ${sql})::text` : `${sql}::text`)).join(', ')}]::text`;
}
