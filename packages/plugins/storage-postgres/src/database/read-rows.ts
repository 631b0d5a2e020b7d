import type { Knex } from 'knex';

/**
 * Maximum number of prepared statements. Callers can combine filters into far more statements, and each prepared
 * statement stays in the memory of the database. Further statements are planned on each execution.
 */
const MAX_PREPARED = 64;

interface Statement {
  readonly name?: string;
  readonly text: string;
}

/** Connection pool of knex, with the connections of the driver. */
interface Connections {
  acquireConnection(): Promise<{
    query(statement: Statement & { values: unknown[] }): Promise<{ rows: Record<string, unknown>[] }>;
  }>;
  releaseConnection(connection: unknown): Promise<void>;
}

const preparedStatements = new Map<string, Statement>();

/**
 * Runs a statement, prepared if possible, because planning a page of a list costs more than reading it. The statement
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
    const { rows } = await connection.query({ ...prepareStatement(sql), values: [...bindings] });
    return rows;
  } finally {
    await connections.releaseConnection(connection);
  }
}

function prepareStatement(sql: string): Statement {
  const known = preparedStatements.get(sql);
  if (known !== undefined) return known;
  const text = numberParameters(sql);
  if (preparedStatements.size >= MAX_PREPARED) return { text };
  const statement = { name: `read_${preparedStatements.size + 1}`, text };
  preparedStatements.set(sql, statement);
  return statement;
}

function numberParameters(sql: string): string {
  let count = 0;
  return sql.replace(/\\\?|\?/g, (found) => (found === '?' ? `$${(count += 1)}` : '?'));
}
