import type pg from 'pg';

/** Does work in one transaction. A connection whose transaction can't even be rolled back is thrown away. */
export async function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // The pool hears only of idle connections; a loss while this one is in use shows as the failure of its next query.
  const ignore = (): void => undefined;
  client.on('error', ignore);
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch((second: unknown) => {
      broken = second instanceof Error ? second : new Error(String(second));
    });
    throw error;
  } finally {
    client.off('error', ignore);
    client.release(broken);
  }
}
