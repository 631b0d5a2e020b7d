import { createHash } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@countersign/embedded-postgres';
import pg from 'pg';
import { buildConnectionOptions } from './database/connection-options.js';
import type { SessionSettings } from './database/session-settings.js';
import { migrate } from './migrate.js';
import { MIGRATIONS } from './migrations/index.js';

/** Settings that are allowed for a database user but that authors of SQL rarely expect. */
export const UNUSUAL_SETTINGS: SessionSettings = Object.freeze({
  DateStyle: 'SQL, DMY',
  IntervalStyle: 'iso_8601',
  TimeZone: 'Asia/Kathmandu',
  extra_float_digits: '-15',
  client_encoding: 'LATIN1',
  standard_conforming_strings: 'off',
  escape_string_warning: 'off',
  transform_null_equals: 'on',
  array_nulls: 'off',
  bytea_output: 'escape',
  default_transaction_isolation: 'serializable',
  default_transaction_deferrable: 'on',
  synchronous_commit: 'off',
  statement_timeout: '1ms',
  lock_timeout: '1ms',
  idle_in_transaction_session_timeout: '1ms',
  idle_session_timeout: '1ms',
  search_path: 'nowhere, public',
  jit: 'on',
  enable_indexscan: 'off',
  row_security: 'off',
  exit_on_error: 'on',
  xmloption: 'document',
});

/**
 * Creates a migrated database for a test: a copy of a template that is migrated once per server, which is much faster
 * than a migration per test.
 *
 * @param options `settings` of its user, applied by `ALTER ROLE … IN DATABASE … SET`
 */
export async function createMigratedTestDatabase({
  settings = {},
}: { readonly settings?: SessionSettings } = {}): Promise<TestDatabase> {
  const sources = MIGRATIONS.map(({ name, up }) => `${name} ${up.toString()}`).join();
  const digest = createHash('sha256').update(sources).digest('hex').slice(0, 16);
  const database = await createTestDatabase({
    name: `migrated_${digest}`,
    prepare: (connectionString) => migrate(connectionString),
  });
  if (Object.keys(settings).length > 0) await setSettingsForUser(database.connectionString, settings);
  return database;
}

/** Changes settings of the user of a connection string in its database, for connections that are opened later. */
export async function setSettingsForUser(connectionString: string, settings: SessionSettings): Promise<void> {
  const client = new pg.Client(buildConnectionOptions(connectionString));
  await client.connect();
  const { rows } = await client.query<{ name: string }>('SELECT current_database() AS name');
  const alterStatement = `ALTER ROLE CURRENT_USER IN DATABASE ${client.escapeIdentifier(rows[0]?.name ?? '')}`;
  const statements = Object.entries(settings).map(([name, value]) => {
    // A search_path is a list; other values with commas are a single string.
    const values = name === 'search_path' ? value.split(', ') : [value];
    return `${alterStatement} SET ${name} = ${values.map((each) => client.escapeLiteral(each)).join(', ')}`;
  });
  await client.query(statements.join(';'));
  await client.end();
}
