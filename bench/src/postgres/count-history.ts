import pg from 'pg';

/** Rows of history per run. */
export interface HistoryCount {
  readonly events: number;
  readonly audit: number;
  readonly votes: number;
}

/**
 * Counts the history, which proves that the runs were executed and recorded.
 *
 * @throws {Error} if not all runs are completed
 */
export async function countHistory(connectionString: string, runs: number): Promise<HistoryCount> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ completed: string; events: string; audit: string; votes: string }>(
      `SELECT (SELECT count(*) FROM runs WHERE outcome = 'completed') AS completed, (SELECT count(*) FROM run_events) AS events,
              (SELECT count(*) FROM audit_events WHERE run_id IS NOT NULL) AS audit, (SELECT count(*) FROM votes) AS votes`,
    );
    const [{ completed, events, audit, votes } = { completed: '0', events: '0', audit: '0', votes: '0' }] = rows;
    if (Number(completed) !== runs) throw new Error(`${completed} of ${runs} runs are completed.`);
    return { events: Number(events) / runs, audit: Number(audit) / runs, votes: Number(votes) / runs };
  } finally {
    await client.end();
  }
}
