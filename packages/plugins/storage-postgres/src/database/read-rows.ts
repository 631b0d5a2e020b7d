import type { Knex } from 'knex';

/**
 * Statements that are planned once for a connection, at most. A caller can combine filters to far more, and each would stay
 * in the memory of the database; those beyond are planned each time.
 */
const MAX_PREPARED = 64;

interface Statement {
  readonly name?: string;
  readonly text: string;
}

/** What knex hands out: the driver's connection, from its pool. */
interface Connections {
  acquireConnection(): Promise<{
    query(statement: Statement & { values: unknown[] }): Promise<{ rows: Record<string, unknown>[] }>;
  }>;
  releaseConnection(connection: unknown): Promise<void>;
}

const prepared = new Map<string, Statement>();

/**
 * Runs a statement that is run again and again with other values: planning a page of a list costs more than reading it. It
 * must name its columns, because a prepared `SELECT *` fails when a migration adds one.
 *
 * @param sql with `?` for values, and `\\?` for a question mark, as with `knex.raw`
 */
export async function readRows(
  knex: Knex,
  sql: string,
  bindings: readonly Knex.RawBinding[],
): Promise<Record<string, unknown>[]> {
  const connections = knex.client as Connections;
  const connection = await connections.acquireConnection();
  try {
    const { rows } = await connection.query({ ...statementOf(sql), values: [...bindings] });
    return rows;
  } finally {
    await connections.releaseConnection(connection);
  }
}

function statementOf(sql: string): Statement {
  const known = prepared.get(sql);
  if (known !== undefined) return known;
  const text = numbered(sql);
  if (prepared.size >= MAX_PREPARED) return { text };
  const statement = { name: `read_${prepared.size + 1}`, text };
  prepared.set(sql, statement);
  return statement;
}

function numbered(sql: string): string {
  let count = 0;
  return sql.replace(/\\\?|\?/g, (found) => (found === '?' ? `$${(count += 1)}` : '?'));
}
