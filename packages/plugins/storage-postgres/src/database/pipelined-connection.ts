import pg from 'pg';
import type { Queryable } from './transaction.js';

type Statement = Parameters<Queryable['query']>[0];

/**
 * For how long a statement may wait for a lock while others wait behind it, in ms. Two servers that write the same run wait for
 * each other's flush of the log.
 */
export const LOCK_TIMEOUT_MS = 200;

/** Whether a statement was given up because it waited too long for a lock. Nothing of it was written. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '55P03';
}

/**
 * One connection to which statements are sent without waiting for the answers to those before (PostgreSQL's protocol, "Pipelining").
 * Each is a transaction of its own. The database has the next one at hand when it is done with one.
 *
 * It is opened with the first statement, and again after it was lost; whoever was under way learns of the loss.
 */
export class PipelinedConnection implements Queryable {
  #client: Promise<pg.Client> | undefined;
  #closed = false;

  /**
   * @param options of the connection; its `lock_timeout` is replaced
   * @param lost is told why the connection is gone
   * @param createClient makes the connection, for instance one that is watched
   */
  constructor(
    private readonly options: pg.ClientConfig,
    private readonly lost: (error: Error) => void,
    private readonly createClient: (options: pg.ClientConfig) => pg.Client,
  ) {}

  /** @throws {pg.DatabaseError} among others where it waited too long for a lock ({@link isLockTimeout}) */
  async query(statement: Statement): ReturnType<Queryable['query']> {
    // Nobody would close what was opened now.
    if (this.#closed) throw new Error('The connection is closed.');
    const client = await (this.#client ??= this.#open());
    return client.query<Record<string, unknown>>(statement);
  }

  /** Waits for what still runs. */
  async close(): Promise<void> {
    this.#closed = true;
    const client = this.#client;
    this.#client = undefined;
    await (await client?.catch(() => undefined))?.end();
  }

  #open(): Promise<pg.Client> {
    const client = this.createClient({ ...this.options, lock_timeout: LOCK_TIMEOUT_MS, pipeline: true });
    const opened = client.connect().then(() => client);
    const forget = (): void => {
      if (this.#client === opened) this.#client = undefined;
    };
    opened.catch(forget);
    client.on('error', (error) => {
      forget();
      this.lost(error);
      void client.end();
    });
    return opened;
  }
}
