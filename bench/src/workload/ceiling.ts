import pg from 'pg';
import { runConcurrently } from './run-concurrently.js';
import { IN_FLIGHT } from './limits.js';

const COMMITS_PER_RUN = 3;
const TABLE = 'bench_ceiling';
const STATEMENT = `INSERT INTO ${TABLE} (a, b, c) VALUES (gen_random_uuid(), $1, $2), (gen_random_uuid(), $1, $2), (gen_random_uuid(), $1, $2)`;
const VALUES = ['a text', JSON.stringify({ x: 1, y: 'abc'.repeat(20) })];

/**
 * Upper limit of the database for an engine that commits each step separately: three commits per run, each a single
 * statement that inserts three rows, on as many connections as there are runs in flight.
 */
export interface Ceiling {
  run(runs: number): Promise<void>;
  close(): Promise<void>;
}

export async function openCeiling(connectionString: string): Promise<Ceiling> {
  const pool = new pg.Pool({ connectionString, max: IN_FLIGHT, idleTimeoutMillis: 0 });
  pool.on('error', () => undefined);
  await pool.query(`CREATE TABLE ${TABLE} (id bigserial PRIMARY KEY, a uuid, b text, c jsonb)`);
  return {
    run: (runs) =>
      runConcurrently(runs * COMMITS_PER_RUN, IN_FLIGHT, () =>
        pool.query({ name: 'ceiling', text: STATEMENT, values: VALUES }),
      ),
    close: () => pool.end(),
  };
}
