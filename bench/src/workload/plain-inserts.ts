import pg from 'pg';
import { runConcurrently } from './run-concurrently.js';
import { IN_FLIGHT } from './limits.js';

const TABLE = 'bench_inbound_events';

/** Minimum work to record inbound events: one row per event, with a unique key and a separate commit. */
export interface PlainInserts {
  insert(events: number): Promise<void>;
  close(): Promise<void>;
}

export async function openPlainInserts(connectionString: string): Promise<PlainInserts> {
  const pool = new pg.Pool({ connectionString, max: IN_FLIGHT, idleTimeoutMillis: 0 });
  pool.on('error', () => undefined);
  await pool.query(
    `CREATE TABLE ${TABLE} (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), event_key text NOT NULL UNIQUE, body json NOT NULL, received_at timestamptz NOT NULL DEFAULT now())`,
  );
  let insertCount = 0;
  return {
    insert: (events) =>
      runConcurrently(events, IN_FLIGHT, () => {
        const eventKey = `event-${insertCount++}`;
        return pool.query({
          name: 'insert',
          text: `INSERT INTO ${TABLE} (event_key, body) VALUES ($1, $2)`,
          values: [
            eventKey,
            JSON.stringify({ messageName: 'ci.passed', correlationKey: eventKey, payload: { build: insertCount } }),
          ],
        });
      }),
    close: () => pool.end(),
  };
}
