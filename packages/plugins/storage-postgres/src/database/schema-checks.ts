import type { Knex } from 'knex';
import { StartupError } from '@countersign/core/plugin';

const MIN_VERSION = 140_000;

/** Tables that exist from the first migration on. */
const TABLES = Object.freeze([
  'approvals',
  'artifacts',
  'audit_chain_head',
  'audit_events',
  'decision_files',
  'decision_versions',
  'idempotency_keys',
  'jobs',
  'message_subscriptions',
  'outbox',
  'principals',
  'run_events',
  'runs',
  'signal_subscriptions',
  'start_subscriptions',
  'start_timers',
  'timers',
  'votes',
  'workflow_versions',
]);

interface ServerRow {
  readonly version: number;
  readonly full: string;
  readonly encoding: string;
  readonly standby: boolean;
}

/**
 * Checks the version, the encoding and the role (primary or standby) of the server.
 *
 * @throws {StartupError} `database_unsupported` if the server cannot be used
 */
export async function assertSupportedServer(knex: Knex): Promise<void> {
  const { rows } = await knex.raw<{ rows: ServerRow[] }>(
    `SELECT current_setting('server_version_num')::int AS version, current_setting('server_version') AS full,
            current_setting('server_encoding') AS encoding, pg_is_in_recovery() AS standby`,
  );
  const [server] = rows;
  if (server === undefined) return;
  if (server.version < MIN_VERSION) {
    throw unsupportedError(
      `The server is PostgreSQL ${server.full}, but Countersign needs 14 or newer. Upgrade it, or use another server.`,
    );
  }
  if (server.encoding !== 'UTF8') {
    throw unsupportedError(
      `The database has the encoding ${server.encoding}, but Countersign needs UTF8. Create a database with ENCODING 'UTF8' TEMPLATE template0.`,
    );
  }
  if (server.standby) throw unsupportedError('The database is a read-only standby. Connect to the primary server.');
}

/**
 * Checks that the applied migrations are the first of the known ones, in the same order, and that the tables match.
 *
 * @throws {StartupError} `schema_mismatch` if the migrations or the tables differ
 */
export async function assertOwnSchema(knex: Knex, table: string, knownMigrations: readonly string[]): Promise<void> {
  const present = await findPresentTables(knex, [...TABLES, table]);
  const applied = present.has(table) ? await loadAppliedMigrations(knex, table) : [];
  const unknown = applied.filter((name) => !knownMigrations.includes(name));
  if (unknown.length > 0) {
    throw mismatchError(
      `The database contains unknown migrations: ${unknown.join(', ')}. It was used by a newer version of ` +
        'Countersign. Start that version, or restore a backup from before the upgrade.',
      { unknown },
    );
  }
  const misplaced = applied.filter((name, index) => knownMigrations[index] !== name);
  if (misplaced.length > 0) {
    throw mismatchError(
      `The migrations of the database are in a different order than in this version (from "${misplaced[0] ?? ''}" on): one was left out ` +
        `or the table ${table} was edited manually. Restore a backup, or use an empty database.`,
      { misplaced },
    );
  }
  const existingTables = TABLES.filter((name) => present.has(name));
  if (applied.length === 0 && existingTables.length > 0) {
    throw mismatchError(
      `The database has tables that Countersign needs but did not create: ${existingTables.join(', ')}. Use a separate database for Countersign.`,
      { tables: existingTables },
    );
  }
  const missing = TABLES.filter((name) => !present.has(name));
  if (applied.length > 0 && missing.length > 0) {
    throw mismatchError(
      `Tables are missing from the database: ${missing.join(', ')}. Restore a backup, or use an empty database.`,
      { tables: missing },
    );
  }
}

/**
 * Refuses to create the tables in an empty schema if another schema that this user may use already contains them. Most
 * likely the search_path changed, or a schema named after the user was created; a second set of tables would look like
 * lost data.
 *
 * @throws {StartupError} `schema_mismatch` if only another schema contains the tables
 */
export async function assertNotInOtherSchema(knex: Knex, table: string): Promise<void> {
  const { rows } = await knex.raw<{ rows: { here: string; schema: string }[] }>(
    `SELECT quote_ident(current_schema()) AS here, quote_ident(schemaname) AS schema FROM pg_tables
     WHERE tablename = ? AND has_schema_privilege(schemaname, 'USAGE')
       AND NOT EXISTS (SELECT FROM pg_tables WHERE tablename = ? AND schemaname = current_schema()) LIMIT 1`,
    [table, table],
  );
  const [other] = rows;
  if (other === undefined) return;
  throw mismatchError(
    `The tables of Countersign are in the schema ${other.schema}, but the search_path selects ${other.here}. Set the search_path of the ` +
      `user (ALTER ROLE … SET search_path = ${other.schema}). To set up a second Countersign, choose its schema in the ` +
      `connection string (?options=${encodeURIComponent(`-c search_path=${other.here}`)}).`,
    { schemas: [other.schema] },
  );
}

/** Converts a database error during a migration to an error with a remedy, if one is known. */
export function explainMigrationFailure(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === '42501') {
    return unsupportedError(
      'The user of the connection string may not create tables. Make this user the owner of the database, or GRANT CREATE on its schema.',
    );
  }
  return error;
}

async function findPresentTables(knex: Knex, names: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await knex.raw<{ rows: { name: string }[] }>(
    'SELECT name FROM unnest(?::text[]) AS name WHERE to_regclass(quote_ident(name)) IS NOT NULL',
    [[...names]],
  );
  return new Set(rows.map(({ name }) => name));
}

async function loadAppliedMigrations(knex: Knex, table: string): Promise<string[]> {
  const rows = await knex<{ id: number; name: string }>(table).select('name').orderBy('id');
  return rows.map(({ name }) => name);
}

function unsupportedError(message: string): StartupError {
  return new StartupError('database_unsupported', message);
}

function mismatchError(message: string, details: Record<string, string[]>): StartupError {
  return new StartupError('schema_mismatch', message, details);
}
