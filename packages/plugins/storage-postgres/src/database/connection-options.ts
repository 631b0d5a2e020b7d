import type pg from 'pg';
import { asOptions, RELIED_ON, type SessionSettings, splitOptions } from './session-settings.js';
import { COLUMN_TYPES } from './type-parsers.js';

/** No statement of this plugin comes near it; what does is stuck, and must not hold a connection forever. */
export const STATEMENT_TIMEOUT_MS = 30_000;
const LOCK_TIMEOUT_MS = 15_000;
/** The change feed waits for open transactions, so one that was forgotten has to end. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 10_000;
/** When an idle connection is first probed. Node.js sends ten probes, one a second, before it closes the connection. */
const KEEP_ALIVE_DELAY_MS = 5_000;

/**
 * What each connection is opened with. The connection string has the last word, for instance `?statement_timeout=` or
 * `?options=-c search_path=countersign`; what the role sets has not.
 *
 * @param settings of the session, besides those that all connections rely on
 */
export function connectionOptions(connectionString: string, settings: SessionSettings = {}): pg.ClientConfig {
  const { connectionString: withoutOptions, options } = splitOptions(connectionString);
  return {
    connectionString: withoutOptions,
    options: [asOptions({ ...RELIED_ON, ...settings }), options].join(' ').trim(),
    application_name: 'countersign',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    types: COLUMN_TYPES,
  };
}
