import { expect } from 'chai';
import pg from 'pg';

/** The outer world has seen exactly one effect of each of these steps, however many attempts it took. */
export async function checkEffects(connectionString: string, runId: string, elementIds: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ element_id: string }>('SELECT element_id FROM effects WHERE run_id = $1 ORDER BY element_id', [runId]);
    expect(rows.map((row) => row.element_id), 'effects').to.deep.equal(elementIds);
  } finally {
    await client.end();
  }
}
