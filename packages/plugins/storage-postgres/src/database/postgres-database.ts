import knex, { type Knex } from 'knex';
import pg from 'pg';
import type { LoggerPort } from '@countersign/core/plugin';
import type { ClockReading } from '@countersign/core/ports';
import { buildConnectionOptions } from './connection-options.js';
import { Heartbeat } from './heartbeat.js';
import { createKnexLogger } from './knex-logger.js';
import { PipelinedConnection } from './pipelined-connection.js';
import type { SessionSettings } from './session-settings.js';
import type { CommitDatabase } from './transaction.js';
import { createWatchedConnections } from './watched-connections.js';

export interface PostgresDatabaseOptions {
  readonly connectionString: string;
  /**
   * Maximum number of connections for commands. Queries and the change feed share the same number of further
   * connections, so that a busy inbox does not delay runs.
   */
  readonly poolSize: number;
  /** Maximum duration of a statement on the connection for commits, in ms. */
  readonly commitTimeoutMs?: number;
  readonly log?: Pick<LoggerPort, 'warn'>;
  /** Called with each reading of the database clock. */
  readonly onTime?: (reading: TimeReading) => void;
}

export type TimeReading = Omit<ClockReading, 'maxOffsetMs'>;

/**
 * Settings for commands and the change feed, which repeat a few prepared statements: planned once, without JIT, and
 * with indexes even for small tables, because the plan remains when a table has grown.
 */
const PREPARED_SETTINGS: SessionSettings = { plan_cache_mode: 'force_generic_plan', jit: 'off', enable_seqscan: 'off' };

const TIME_QUERY = {
  name: 'time',
  text: 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now',
  values: [],
};

const COMMIT_TIMEOUT_MS = 8_000;

/** Maximum number of connections for the change feed: one for the poller, and one for listeners that catch up. */
const FEED_CONNECTIONS = 2;

interface Connections {
  readonly commits: PipelinedConnection;
  readonly pool: pg.Pool;
  readonly feed: pg.Pool;
  readonly knex: Knex;
  readonly heartbeat: Heartbeat;
  readonly readTime: () => Promise<void>;
}

/**
 * Connections to the database. They are opened by `open`, not by the constructor, because plugins are registered before
 * anything may be opened.
 */
export class PostgresDatabase {
  #connections: Connections | undefined;
  readonly #lossListeners: (() => void)[] = [];

  /** Registers a callback for a lost connection. All connections are lost when the database restarts. */
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
    if (this.#connections !== undefined) throw new Error('The database is already open.');
    const options = buildConnectionOptions(connectionString);
    const preparedOptions = buildConnectionOptions(connectionString, PREPARED_SETTINGS);
    const { createCommitClient, PooledClient } = createWatchedConnections(connectionString, commitTimeoutMs);
    const onLost = (error: Error): void => {
      for (const listener of this.#lossListeners) listener();
      // No warning while closing: the pool does not wait for its last connections, so the server may close them first.
      if (this.#connections !== undefined) log?.warn({ err: error }, 'lost a connection to the database');
    };
    const createPool = (max: number): pg.Pool => {
      const pool = new pg.Pool({ ...preparedOptions, Client: PooledClient, max, idleTimeoutMillis: 60_000 });
      // If a connection breaks while idle, the pool replaces it on the next request. An unhandled error would end the
      // process.
      pool.on('error', onLost);
      return pool;
    };
    const feedSize = Math.min(FEED_CONNECTIONS, Math.floor(poolSize / 2));
    const pool = createPool(Math.max(1, poolSize - 1));
    const commits = new PipelinedConnection(
      { ...preparedOptions, statement_timeout: commitTimeoutMs },
      onLost,
      createCommitClient,
    );
    const queries = knex({
      client: 'pg',
      connection: options as Knex.PgConnectionConfig,
      pool: { min: 0, max: poolSize - feedSize },
      acquireConnectionTimeout: 15_000,
      log: createKnexLogger(log),
    });
    // Makes knex open its connections with this driver class.
    (queries.client as { driver: { Client: typeof pg.Client } }).driver = { Client: PooledClient };
    const readTime = async (): Promise<void> => {
      const sentAt = performance.now();
      const { rows } = await commits.query(TIME_QUERY);
      onTime?.({ databaseTime: Number(rows[0]?.['now']), sentAt, receivedAt: performance.now() });
    };
    this.#connections = {
      commits,
      pool,
      feed: createPool(feedSize),
      knex: queries,
      heartbeat: new Heartbeat(readTime),
      readTime,
    };
  }

  /**
   * Database for commits of commands: prepared statements on a shared connection, transactions on pooled connections.
   */
  get commits(): CommitDatabase {
    const { commits, pool } = this.#requireConnections();
    return { query: (statement) => commits.query(statement), connect: () => pool.connect(), pool };
  }

  /** Pool for all other work of commands: prepared statements. */
  get pool(): pg.Pool {
    return this.#requireConnections().pool;
  }

  /** Separate pool for the change feed, which is read continuously: prepared statements. */
  get feed(): pg.Pool {
    return this.#requireConnections().feed;
  }

  /** Query builder for queries. */
  get knex(): Knex {
    return this.#requireConnections().knex;
  }

  /** Reads the database clock immediately. It is also read every two seconds. */
  async readTime(): Promise<void> {
    await this.#requireConnections().readTime();
  }

  /** Closes all connections after the statements in progress. */
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

  #requireConnections(): Connections {
    if (this.#connections === undefined) throw new Error('The database is not open.');
    return this.#connections;
  }
}
