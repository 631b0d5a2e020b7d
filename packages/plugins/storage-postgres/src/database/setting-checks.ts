import { StartupError } from '@countersign/core/plugin';
import type { Knex } from 'knex';
import { REQUIRED_SETTINGS } from './session-settings.js';

/**
 * Lowest `transaction_timeout` (PostgreSQL 17) that is accepted, in ms; no transaction of this plugin takes that long,
 * except a migration.
 */
const MIN_TRANSACTION_TIMEOUT_MS = 60_000;

/**
 * Settings that a connection does not override, because it lacks the permission or because the administrator may have
 * chosen them on purpose.
 */
export interface FixedSettings {
  readonly readOnly: boolean;
  /** `null` if the search_path names no usable schema. */
  readonly schema: string | null;
  readonly searchPath: string;
  readonly replicationRole: string;
  /** Timeout in ms; 0 means no limit. */
  readonly transactionTimeout: number;
}

/**
 * Checks the settings of the role, database or server that a connection does not override, and whether the settings
 * that it sends are in effect.
 *
 * @param options `options` of the connection string, which may set other values
 * @throws {StartupError} `database_unsupported`, with a remedy
 */
export async function assertUsableSettings(knex: Knex, options: string): Promise<void> {
  const { rows } = await knex.raw<{ rows: FixedSettings[] }>(
    `SELECT current_setting('transaction_read_only')::boolean AS "readOnly", current_schema() AS schema,
            current_setting('search_path') AS "searchPath", current_setting('session_replication_role') AS "replicationRole",
            COALESCE((SELECT setting::int FROM pg_settings WHERE name = 'transaction_timeout'), 0) AS "transactionTimeout"`,
  );
  const requestedNames = Object.keys(REQUIRED_SETTINGS).filter(
    (name) => !new RegExp(`\\b${name}\\b`, 'i').test(options),
  );
  const effectiveSettings = await knex.raw<{ rows: { name: string; setting: string }[] }>(
    'SELECT name, setting FROM pg_settings WHERE name = ANY(?::text[])',
    [requestedNames],
  );
  const problem =
    (rows[0] === undefined ? undefined : findSettingsProblem(rows[0])) ??
    findAlteredSettingProblem(effectiveSettings.rows);
  if (problem !== undefined) throw new StartupError('database_unsupported', problem);
}

/** Returns the first problem with the settings and its remedy; `undefined` if there is none. */
export function findSettingsProblem(settings: FixedSettings): string | undefined {
  if (settings.readOnly)
    return 'Transactions are read-only by default. Connect to the primary server, or run: ALTER ROLE … SET default_transaction_read_only = off (or ALTER DATABASE …).';
  if (settings.schema === null)
    return `The search_path (${settings.searchPath || 'empty'}) contains no existing schema that this user may use. Create one, GRANT USAGE on it, or run: ALTER ROLE … SET search_path = public.`;
  if (settings.replicationRole !== 'origin')
    return `session_replication_role is ${settings.replicationRole}, which turns off the triggers that protect the history. Run: ALTER ROLE … RESET session_replication_role.`;
  if (settings.transactionTimeout > 0 && settings.transactionTimeout < MIN_TRANSACTION_TIMEOUT_MS)
    return `transaction_timeout is ${settings.transactionTimeout} ms; Countersign needs at least ${MIN_TRANSACTION_TIMEOUT_MS} ms, or 0 (no limit). Run: ALTER ROLE … SET transaction_timeout = 0.`;
  return undefined;
}

/** Returns the first setting that was sent but has another value, because a pooler in between does not forward it. */
export function findAlteredSettingProblem(
  rows: readonly { readonly name: string; readonly setting: string }[],
): string | undefined {
  const alteredSetting = rows.find(({ name, setting }) => {
    const expected = REQUIRED_SETTINGS[name] ?? '';
    // The order of day and month does not matter.
    return name === 'DateStyle' ? !setting.startsWith(`${expected},`) : setting !== expected;
  });
  return alteredSetting === undefined
    ? undefined
    : `${alteredSetting.name} is "${alteredSetting.setting}", although the connection requests "${REQUIRED_SETTINGS[alteredSetting.name] ?? ''}". A connection pooler in between must forward the startup parameter "options".`;
}

/**
 * Turns off `transaction_timeout` for this transaction, because a migration may take longer than any other. Servers
 * before PostgreSQL 17 do not have the setting.
 */
export async function disableTransactionTimeout(transaction: Knex): Promise<void> {
  await transaction.raw(
    `SELECT set_config(name, '0', true) FROM pg_settings WHERE name = 'transaction_timeout' AND setting <> '0'`,
  );
}
