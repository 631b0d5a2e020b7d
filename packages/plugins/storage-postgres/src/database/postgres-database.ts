import knex, { type Knex } from 'knex';
import pg from 'pg';
import type { LoggerPort } from '@countersign/core/plugin';
import type { ClockReading } from '@countersign/core/ports';
import { connectionOptions } from './connection-options.js';
import { Heartbeat } from './heartbeat.js';
import { knexLog } from './knex-log.js';
import { PipelinedConnection } from './pipelined-connection.js';
import type { SessionSettings } from './session-settings.js';
import type { CommitDatabase } from './transaction.js';
import { watchedConnections } from './watched-connections.js';

export interface PostgresDatabaseOptions {
  readonly connectionString: string;
  /** Connections for commands; queries and the change feed have as many again, so that a busy inbox does not hold up the runs. */
  readonly poolSize: number;
  /** How long a statement on the connection of commits may take, in ms. */
  readonly commitTimeoutMs?: number;
  readonly log?: Pick<LoggerPort, 'warn'>;
  /** Is told each reading of the database's clock. */
  readonly onTime?: (reading: TimeReading) => void;
}

export type TimeReading = Omit<ClockReading, 'maxOffsetMs'>;

/**
 * Commands and the change feed are a few prepared statements that are run all the time: planned once, never compiled (JIT),
 * and on the index also while a table is small, because the plan stays when it has grown.
 */
const PREPARED_SETTINGS: SessionSettings = { plan_cache_mode: 'force_generic_plan', jit: 'off', enable_seqscan: 'off' };

const TIME = { name: 'time', text: 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now', values: [] };

const COMMIT_TIMEOUT_MS = 8_000;

/** The poller's, and one for listeners who catch up. */
const FEED_CONNECTIONS = 2;

interface Connections {
  readonly commits: PipelinedConnection;
  readonly pool: pg.Pool;
  readonly feed: pg.Pool;
  readonly knex: Knex;
  readonly heartbeat: Heartbeat;
  readonly readTime: () => Promise<void>;
}

/** The connections to the database. Made closed: plugins are registered before anything may be opened. */
export class PostgresDatabase {
  #connections: Connections | undefined;
  readonly #lossListeners: (() => void)[] = [];

  /** Is called when an idle connection was lost, as all are when the database restarts. */
  onLoss(listener: () => void): void {
    this.#lossListeners.push(listener);
  }

  open({
    connectionString,
    poolSize,
    commitTimeoutMs = COMMIT_TIMEOUT_MS,
    log,
    onTime,
  }: PostgresDatabaseOptions): void {
    if (this.#connections !== undefined) throw new Error('The database is open already.');
    const options = connectionOptions(connectionString);
    const settings = connectionOptions(connectionString, PREPARED_SETTINGS);
    const { createCommitClient, PooledClient } = watchedConnections(connectionString, commitTimeoutMs);
    const lost = (error: Error): void => {
      for (const listener of this.#lossListeners) listener();
      // While closing, the pool does not wait until the last connections are gone; the server may be quicker.
      if (this.#connections !== undefined) log?.warn({ err: error }, 'a connection to the database was lost');
    };
    const prepared = (max: number): pg.Pool => {
      const pool = new pg.Pool({ ...settings, Client: PooledClient, max, idleTimeoutMillis: 60_000 });
      // A connection that breaks while it is idle is replaced by the next one who asks; unheard, it would end the process.
      pool.on('error', lost);
      return pool;
    };
    const feedSize = Math.min(FEED_CONNECTIONS, Math.floor(poolSize / 2));
    const pool = prepared(Math.max(1, poolSize - 1));
    const commits = new PipelinedConnection(
      { ...settings, statement_timeout: commitTimeoutMs },
      lost,
      createCommitClient,
    );
    const queries = knex({
      client: 'pg',
      connection: options as Knex.PgConnectionConfig,
      pool: { min: 0, max: poolSize - feedSize },
      acquireConnectionTimeout: 15_000,
      log: knexLog(log),
    });
    // knex opens its connections with this driver.
    (queries.client as { driver: { Client: typeof pg.Client } }).driver = { Client: PooledClient };
    const readTime = async (): Promise<void> => {
      const sentAt = performance.now();
      const { rows } = await commits.query(TIME);
      onTime?.({ databaseTime: Number(rows[0]?.['now']), sentAt, receivedAt: performance.now() });
    };
    this.#connections = {
      commits,
      pool,
      feed: prepared(feedSize),
      knex: queries,
      heartbeat: new Heartbeat(readTime),
      readTime,
    };
  }

  /** For commits of commands: prepared statements, on a connection that they share; transactions on pooled ones. */
  get commits(): CommitDatabase {
    const { commits, pool } = this.#opened();
    return { query: (statement) => commits.query(statement), connect: () => pool.connect(), aside: pool };
  }

  /** For what else commands do: prepared statements on pooled connections. */
  get pool(): pg.Pool {
    return this.#opened().pool;
  }

  /** For the change feed, which many look at all the time: prepared statements on connections of its own. */
  get feed(): pg.Pool {
    return this.#opened().feed;
  }

  /** For queries. */
  get knex(): Knex {
    return this.#opened().knex;
  }

  /** Reads the database's clock at once; it is read every two seconds anyway. */
  async readTime(): Promise<void> {
    await this.#opened().readTime();
  }

  /** Waits for what still runs. */
  async close(): Promise<void> {
    const connections = this.#connections;
    this.#connections = undefined;
    if (connections === undefined) return;
    connections.heartbeat.stop();
    await Promise.all([
      connections.commits.close(),
      connections.pool.end(),
      connections.feed.end(),
      connections.knex.destroy(),
    ]);
  }

  #opened(): Connections {
    if (this.#connections === undefined) throw new Error('The database is not open.');
    return this.#connections;
  }
}
