import pg from 'pg';
import type { Queryable } from './transaction.js';

type Statement = Parameters<Queryable['query']>[0];

/**
 * Maximum time in ms that a statement may wait for a lock. Short, because later statements on the connection wait
 * meanwhile; long enough for the WAL flush of another server that writes the same run.
 */
export const LOCK_TIMEOUT_MS = 200;

/** Returns whether a statement was cancelled because it waited too long for a lock. It has written nothing. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '55P03';
}

/**
 * Connection to which statements are sent without waiting for earlier responses (PostgreSQL protocol, "Pipelining").
 * Each statement is its own transaction. The database can execute the next statement without waiting for a round trip.
 *
 * The connection opens with the first statement, and reopens after a loss; statements in progress fail.
 */
export class PipelinedConnection implements Queryable {
  #client: Promise<pg.Client> | undefined;
  #closed = false;

  /**
   * @param options connection options; their `lock_timeout` is replaced
   * @param onLost called with the reason when the connection is lost
   * @param createClient creates the connection, for example a watched one
   */
  constructor(
    private readonly options: pg.ClientConfig,
    private readonly onLost: (error: Error) => void,
    private readonly createClient: (options: pg.ClientConfig) => pg.Client,
  ) {}

  /**
   * @throws {pg.DatabaseError} if the statement fails, for example because it waited too long for a lock ({@link
   * isLockTimeout})
   */
  async query(statement: Statement): ReturnType<Queryable['query']> {
    // A connection opened now would never be closed.
    if (this.#closed) throw new Error('The connection is closed.');
    const client = await (this.#client ??= this.#open());
    return client.query<Record<string, unknown>>(statement);
  }

  /** Closes the connection after the statements in progress. */
  async close(): Promise<void> {
    this.#closed = true;
    const client = this.#client;
    this.#client = undefined;
    await (await client?.catch(() => undefined))?.end();
  }

  #open(): Promise<pg.Client> {
    const client = this.createClient({ ...this.options, lock_timeout: LOCK_TIMEOUT_MS, pipeline: true });
    const opening = client.connect().then(() => client);
    const clearClient = (): void => {
      if (this.#client === opening) this.#client = undefined;
    };
    opening.catch(clearClient);
    client.on('error', (error) => {
      clearClient();
      this.onLost(error);
      void client.end();
    });
    return opening;
  }
}
