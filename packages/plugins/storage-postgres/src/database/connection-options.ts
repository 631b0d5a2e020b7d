import type pg from 'pg';
import { toOptions, REQUIRED_SETTINGS, type SessionSettings, splitOptions } from './session-settings.js';
import { TYPE_PARSERS } from './type-parsers.js';

/**
 * Well above the duration of any statement of this plugin. A statement that takes longer is stuck and must not block
 * its connection.
 */
export const STATEMENT_TIMEOUT_MS = 30_000;
const LOCK_TIMEOUT_MS = 15_000;
/** The change feed waits for open transactions, so an abandoned transaction must end. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 10_000;
/**
 * Time after which an idle connection is first probed. Node.js configures ten probes, one per second, before the
 * connection is closed.
 */
const KEEP_ALIVE_DELAY_MS = 5_000;

/**
 * Returns the options that every connection is opened with. Parameters of the connection string override them
 * (`?statement_timeout=`, `?options=-c search_path=countersign`); defaults of the role do not.
 *
 * @param settings session settings in addition to {@link REQUIRED_SETTINGS} and the timeouts, which they may override
 */
export function buildConnectionOptions(connectionString: string, settings: SessionSettings = {}): pg.ClientConfig {
  const { connectionString: withoutOptions, options } = splitOptions(connectionString);
  return {
    connectionString: withoutOptions,
    // The driver would send timeouts as separate parameters, which would also override the options of the connection
    // string.
    options: [toOptions({ ...REQUIRED_SETTINGS, ...TIMEOUTS, ...settings }), options].join(' ').trim(),
    application_name: 'countersign',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    types: TYPE_PARSERS,
  };
}

const TIMEOUTS: SessionSettings = Object.freeze({
  statement_timeout: String(STATEMENT_TIMEOUT_MS),
  lock_timeout: String(LOCK_TIMEOUT_MS),
  idle_in_transaction_session_timeout: String(IDLE_IN_TRANSACTION_TIMEOUT_MS),
});
