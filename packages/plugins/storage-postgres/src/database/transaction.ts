import { lockStatements } from '../messages/message-locks.js';

/** Runs prepared statements by name. */
export interface Queryable {
  query(config: { name?: string; text: string; values: unknown[] }): Promise<{ rows: Record<string, unknown>[] }>;
}

/** A connection that one transaction has for itself. */
export interface TransactionClient extends Queryable {
  query(config: { name?: string; text: string; values: unknown[] }): Promise<{ rows: Record<string, unknown>[] }>;
  query(text: string): Promise<unknown>;
  on(event: 'error', listener: () => void): unknown;
  off(event: 'error', listener: () => void): unknown;
  release(broken?: Error): void;
}

/** Runs statements that are transactions of their own, and lends connections for longer ones. */
export interface CommandDatabase extends Queryable {
  connect(): Promise<TransactionClient>;
}

/**
 * Does work in one transaction. A connection whose transaction can't even be rolled back is thrown away.
 *
 * @param locks advisory locks that are taken with its beginning (`lockStatements`)
 */
export async function inTransaction<T>(
  pool: { connect(): Promise<TransactionClient> },
  work: (client: TransactionClient) => Promise<T>,
  locks: readonly number[] = [],
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // The pool hears only of idle connections; a loss while this one is in use shows as the failure of its next query.
  const ignore = (): void => undefined;
  client.on('error', ignore);
  try {
    await client.query(locks.length === 0 ? 'BEGIN' : `BEGIN; ${lockStatements(locks)}`);
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
