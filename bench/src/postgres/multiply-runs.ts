import pg from 'pg';

/** Tables of runs and approvals, with the ids that a copy must replace. */
const TABLES: readonly { readonly table: string; readonly ids: readonly string[] }[] = [
  { table: 'runs', ids: ['run_id'] },
  { table: 'approvals', ids: ['approval_id', 'run_id', 'step_id'] },
  { table: 'votes', ids: ['vote_id', 'approval_id', 'run_id'] },
];

/** Time between a run and its copy, by the time in its id (UUIDv7). */
const COPY_DISTANCE_MS = 60_000;

/** Returns an expression for an older id, deterministic so that copies refer to copies. */
const olderIdExpression = (column: string): string => {
  const hex = `replace(${column}::text, '-', '')`;
  return `(lpad(to_hex(('x' || left(${hex}, 12))::bit(48)::bigint - copy * ${COPY_DISTANCE_MS}), 12, '0') || substr(${hex}, 13))::uuid`;
};

/**
 * Copies a few real runs until there are `factor` times as many, spread over time.
 *
 * @param workflowId workflow of the runs; by default all workflows
 */
export async function multiplyRuns(connectionString: string, factor: number, workflowId?: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    for (const { table, ids } of TABLES) {
      const { rows } = await client.query<{ name: string }>(
        `SELECT column_name AS name FROM information_schema.columns WHERE table_name = $1 AND is_generated = 'NEVER' ORDER BY ordinal_position`,
        [table],
      );
      const columns = rows.map(({ name }) => `"${name}"`).join();
      const values = rows.map(({ name }) => (ids.includes(name) ? olderIdExpression(name) : `"${name}"`)).join();
      await client.query(
        `INSERT INTO ${table} (${columns}) SELECT ${values} FROM ${table}, generate_series(1, ${factor - 1}) copy
         WHERE $1::text IS NULL OR run_id IN (SELECT run_id FROM runs WHERE workflow_id = $1)`,
        [workflowId ?? null],
      );
    }
  } finally {
    await client.end();
  }
}

/** Does what autovacuum would do within a minute, so that it does not start during a measurement. */
export async function vacuum(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query('VACUUM (ANALYZE)');
  } finally {
    await client.end();
  }
}
