import type pg from 'pg';
import { ConnectionWatch } from './connection-watch.js';
import { STATEMENT_TIMEOUT_MS } from './connection-options.js';
import { readParameter } from './session-settings.js';
import { WatchedClient } from './watched-client.js';

/**
 * Margin beyond the statement timeout, in ms. PostgreSQL itself cancels a statement after its timeout, so only a
 * longer silence indicates a broken connection.
 */
const MARGIN_MS = 3_000;
/** Assumed statement timeout if the connection string turns it off. */
const FALLBACK_STATEMENT_TIMEOUT_MS = 10 * 60_000;
/** Margin for commits, whose timeout is short. */
const COMMIT_MARGIN_MS = 500;

export interface WatchedConnections {
  /** Creates the connection that commits share. */
  readonly createCommitClient: (options: pg.ClientConfig) => pg.Client;
  /** Class of pooled connections. */
  readonly PooledClient: typeof pg.Client;
}

/**
 * Returns factories for connections that are watched together: if one goes silent, it is closed, and so are all others
 * that are idle or also silent.
 *
 * @param commitTimeoutMs maximum duration of a statement on the connection for commits
 */
export function createWatchedConnections(connectionString: string, commitTimeoutMs: number): WatchedConnections {
  const watch = new ConnectionWatch();
  const silenceMs = readStatementTimeout(connectionString) + MARGIN_MS;
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

function readStatementTimeout(connectionString: string): number {
  const parameter = readParameter(connectionString, 'statement_timeout');
  const timeout = parameter === undefined ? STATEMENT_TIMEOUT_MS : Number.parseInt(parameter, 10);
  return timeout > 0 ? timeout : FALLBACK_STATEMENT_TIMEOUT_MS;
}
