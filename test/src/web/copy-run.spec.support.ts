import type { TestHost } from '@countersign/testing';
import pg from 'pg';

/** Interval between successive copies, according to the timestamps in their ids (UUIDv7). */
const RUN_INTERVAL_MS = 60_000;

/** Returns an SQL expression for an id that is `copy` minutes older; `copy` is a column of the query. */
const olderIdSql = (column: string): string => {
  const hex = `replace(${column}::text, '-', '')`;
  return `(lpad(to_hex(('x' || left(${hex}, 12))::bit(48)::bigint - copy * ${RUN_INTERVAL_MS}), 12, '0') || substr(${hex}, 13))::uuid`;
};

/** Inserts copies of a run, each one minute older than the previous one, with business keys `copy-1`, `copy-2`, … */
export async function copyRun({ database }: Pick<TestHost, 'database'>, runId: string, copies: number): Promise<void> {
  const client = new pg.Client({ connectionString: database.connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'runs' AND is_generated = 'NEVER'`,
    );
    const values: Readonly<Record<string, string>> = { run_id: olderIdSql('run_id'), business_key: `'copy-' || copy` };
    const names = rows.map(({ name }) => name);
    await client.query(
      `INSERT INTO runs (${names.map((name) => `"${name}"`).join()}) SELECT ${names.map((name) => values[name] ?? `"${name}"`).join()} FROM runs, generate_series(1, ${copies}) copy WHERE run_id = $1`,
      [runId],
    );
    await client.query('ANALYZE runs');
  } finally {
    await client.end();
  }
}
