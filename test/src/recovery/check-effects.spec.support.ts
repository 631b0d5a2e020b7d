import { waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import pg from 'pg';

/** Checks that a run had exactly these effects outside the server, regardless of the number of attempts. */
export async function checkEffects(
  connectionString: string,
  runId: string,
  elementIds: readonly string[],
): Promise<void> {
  const effects = await withConnection(connectionString, async (client) => {
    const { rows } = await client.query<{ element_id: string }>(
      'SELECT element_id FROM effects WHERE run_id = $1 ORDER BY element_id',
      [runId],
    );
    return rows.map((row) => row.element_id);
  });
  expect(effects, 'effects').to.deep.equal(elementIds);
}

/** Waits until all messages are delivered and no start timer is pending. */
export async function waitUntilQuiet(connectionString: string): Promise<void> {
  await withConnection(connectionString, (client) =>
    waitUntil(
      'all messages are delivered and no start timer is pending',
      async () =>
        (
          await client.query(
            'SELECT FROM outbox UNION ALL SELECT FROM start_timers WHERE due_at IS NOT NULL UNION ALL SELECT FROM message_channels WHERE look_at < $$infinity$$',
          )
        ).rowCount === 0,
    ),
  );
}

async function withConnection<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
