import { buildLockStatements } from '../messages/message-locks.js';

/** Executor of prepared statements by name. */
export interface Queryable {
  query(config: { name?: string; text: string; values: unknown[] }): Promise<{ rows: Record<string, unknown>[] }>;
}

/** Connection that is reserved for one transaction. */
export interface TransactionClient extends Queryable {
  query(config: { name?: string; text: string; values: unknown[] }): Promise<{ rows: Record<string, unknown>[] }>;
  query(text: string): Promise<unknown>;
  on(event: 'error', listener: () => void): unknown;
  off(event: 'error', listener: () => void): unknown;
  release(broken?: Error): void;
}

/** Database that runs single statements as transactions, and lends connections for longer transactions. */
export interface CommandDatabase extends Queryable {
  connect(): Promise<TransactionClient>;
}

/** Database whose single statements share one connection. */
export interface CommitDatabase extends CommandDatabase {
  /** Executor of statements that may wait for a lock, on connections that are not shared. */
  readonly pool: Queryable;
}

export interface TransactionOptions {
  readonly locks?: readonly number[];
  readonly advisoryLockTimeoutMs?: number;
  readonly lockTimeoutMs?: number;
}

/**
 * Runs work in one transaction. If the rollback fails, the connection is discarded.
 *
 * @param options `locks`: advisory locks to take at the start (`buildLockStatements`). `advisoryLockTimeoutMs`:
 *   maximum wait for each of them. `lockTimeoutMs`: maximum wait of each later statement for a lock. Both timeouts
 *   default to the setting of the connection.
 */
export async function inTransaction<T>(
  pool: { connect(): Promise<TransactionClient> },
  work: (client: TransactionClient) => Promise<T>,
  { locks = [], advisoryLockTimeoutMs, lockTimeoutMs }: TransactionOptions = {},
): Promise<T> {
  const client = await pool.connect();
  let rollbackError: Error | undefined;
  // The pool handles errors of idle connections only. A loss during use appears as the failure of the next query.
  const ignore = (): void => undefined;
  client.on('error', ignore);
  try {
    const statements = ['BEGIN'];
    if (locks.length > 0 && advisoryLockTimeoutMs !== undefined)
      statements.push(`SET LOCAL lock_timeout = ${advisoryLockTimeoutMs}`);
    if (locks.length > 0) statements.push(buildLockStatements(locks));
    if (lockTimeoutMs !== undefined) statements.push(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
    await client.query(statements.join('; '));
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch((thrown: unknown) => {
      rollbackError = thrown instanceof Error ? thrown : new Error(String(thrown));
    });
    throw error;
  } finally {
    client.off('error', ignore);
    client.release(rollbackError);
  }
}
