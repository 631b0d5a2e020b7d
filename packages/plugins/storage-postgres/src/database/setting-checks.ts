import { StartupError } from '@countersign/core/plugin';
import type { Knex } from 'knex';

/** Shortest limit of a transaction (PostgreSQL 17) that none of this plugin comes near, in ms. */
const MIN_TRANSACTION_TIMEOUT_MS = 60_000;

/** Settings that no connection may change by itself, or that its owner may have chosen on purpose. */
export interface FixedSettings {
  readonly readOnly: boolean;
  /** `null`: the search_path names none that exists. */
  readonly schema: string | null;
  readonly searchPath: string;
  readonly replicationRole: string;
  /** In ms; 0: none. */
  readonly transactionTimeout: number;
}

/**
 * Looks at what the role, the database or the server set and a connection does not cover.
 *
 * @throws {StartupError} `database_unsupported`, saying what to change
 */
export async function refuseUnfitSettings(knex: Knex): Promise<void> {
  const { rows } = await knex.raw<{ rows: FixedSettings[] }>(
    `SELECT current_setting('transaction_read_only')::boolean AS "readOnly", current_schema() AS schema,
            current_setting('search_path') AS "searchPath", current_setting('session_replication_role') AS "replicationRole",
            COALESCE((SELECT setting::int FROM pg_settings WHERE name = 'transaction_timeout'), 0) AS "transactionTimeout"`,
  );
  const fault = rows[0] === undefined ? undefined : faultOfSettings(rows[0]);
  if (fault !== undefined) throw new StartupError('database_unsupported', fault);
}

/** What is wrong with settings, and what to change; `undefined` where nothing is. */
export function faultOfSettings(settings: FixedSettings): string | undefined {
  if (settings.readOnly)
    return 'The database can only be read. Name the primary, or turn default_transaction_read_only off.';
  if (settings.schema === null)
    return `The search_path "${settings.searchPath}" names no schema that exists. Create one of them, or set it for the user: ALTER ROLE … SET search_path = public.`;
  if (settings.replicationRole !== 'origin')
    return `session_replication_role is "${settings.replicationRole}", which turns off the triggers that protect the history. Reset it for the user: ALTER ROLE … RESET session_replication_role.`;
  if (settings.transactionTimeout > 0 && settings.transactionTimeout < MIN_TRANSACTION_TIMEOUT_MS)
    return `transaction_timeout is ${settings.transactionTimeout} ms; transactions need up to ${MIN_TRANSACTION_TIMEOUT_MS / 1_000} s. Raise it for the user: ALTER ROLE … SET transaction_timeout = 0.`;
  return undefined;
}

/** A migration may take longer than a limit that does for all else. It exists since PostgreSQL 17. */
export async function liftTransactionTimeout(transaction: Knex): Promise<void> {
  await transaction.raw(
    `SELECT set_config(name, '0', true) FROM pg_settings WHERE name = 'transaction_timeout' AND setting <> '0'`,
  );
}
