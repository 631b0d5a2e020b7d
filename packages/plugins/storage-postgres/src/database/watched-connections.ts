import type pg from 'pg';
import { ConnectionWatch } from './connection-watch.js';
import { STATEMENT_TIMEOUT_MS } from './connection-options.js';
import { parameterOf } from './session-settings.js';
import { WatchedClient } from './watched-client.js';

/** PostgreSQL cancels a statement itself after its timeout, so only a longer silence means a broken connection. In ms. */
const MARGIN_MS = 3_000;
/** Where the connection string turns off the statement timeout. */
const UNLIMITED_MS = 10 * 60_000;
/** The same for commits, whose time-out is short. */
const COMMIT_MARGIN_MS = 500;

export interface WatchedConnections {
  /** Makes the connection that commits share. */
  readonly createCommitClient: (options: pg.ClientConfig) => pg.Client;
  /** The class of pooled connections. */
  readonly PooledClient: typeof pg.Client;
}

/**
 * Connections of which each is given up when it goes silent, and the others with it.
 *
 * @param commitTimeoutMs how long a statement on the connection of commits may take
 */
export function watchedConnections(connectionString: string, commitTimeoutMs: number): WatchedConnections {
  const watch = new ConnectionWatch();
  const silenceMs = statementTimeout(connectionString) + MARGIN_MS;
  const PooledClient = class extends WatchedClient {
    constructor(options: pg.ClientConfig) {
      super(options, watch, silenceMs);
    }
  } as typeof pg.Client;
  return {
    createCommitClient: (options) => new WatchedClient(options, watch, commitTimeoutMs + COMMIT_MARGIN_MS),
    PooledClient,
  };
}

function statementTimeout(connectionString: string): number {
  const given = parameterOf(connectionString, 'statement_timeout');
  const timeout = given === undefined ? STATEMENT_TIMEOUT_MS : Number.parseInt(given, 10);
  return timeout > 0 ? timeout : UNLIMITED_MS;
}
