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

/** Its own statements share one connection. */
export interface CommitDatabase extends CommandDatabase {
  /** Runs statements that may wait for a lock: on connections that nothing else waits behind. */
  readonly aside: Queryable;
}

export interface TransactionOptions {
  readonly locks?: readonly number[];
  readonly locksTimeoutMs?: number;
  readonly lockTimeoutMs?: number;
}

/**
 * Does work in one transaction. A connection whose transaction can't even be rolled back is thrown away.
 *
 * @param options `locks`: advisory locks that are taken with its beginning (`lockStatements`). `locksTimeoutMs`: how long each
 * of them may be waited for; `lockTimeoutMs`: how long each later statement may wait for a lock. The default of both is what the
 * connection allows.
 */
export async function inTransaction<T>(
  pool: { connect(): Promise<TransactionClient> },
  work: (client: TransactionClient) => Promise<T>,
  { locks = [], locksTimeoutMs, lockTimeoutMs }: TransactionOptions = {},
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // The pool hears only of idle connections; a loss while this one is in use shows as the failure of its next query.
  const ignore = (): void => undefined;
  client.on('error', ignore);
  try {
    const statements = ['BEGIN'];
    if (locks.length > 0 && locksTimeoutMs !== undefined) statements.push(`SET LOCAL lock_timeout = ${locksTimeoutMs}`);
    if (locks.length > 0) statements.push(lockStatements(locks));
    if (lockTimeoutMs !== undefined) statements.push(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
    await client.query(statements.join('; '));
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
