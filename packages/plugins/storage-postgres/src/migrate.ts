import knex, { type Knex } from 'knex';
import type { LoggerPort } from '@countersign/core/plugin';
import { buildConnectionOptions } from './database/connection-options.js';
import { connect } from './database/connect.js';
import { createKnexLogger } from './database/knex-logger.js';
import {
  explainMigrationFailure,
  assertOwnSchema,
  assertNotInOtherSchema,
  assertSupportedServer,
} from './database/schema-checks.js';
import { splitOptions } from './database/session-settings.js';
import { disableTransactionTimeout, assertUsableSettings } from './database/setting-checks.js';
import { MIGRATIONS, type Migration } from './migrations/index.js';

export const MIGRATIONS_TABLE = 'countersign_migrations';

/**
 * Key of an advisory lock, so that one server migrates and the others wait: an arbitrary constant, the same on all
 * servers.
 */
const MIGRATION_LOCK = 7_203_113_409_122_001;

export interface MigrateOptions {
  readonly log?: Pick<LoggerPort, 'info'>;
  readonly migrations?: readonly Migration[];
}

/**
 * Migrates a database to the current schema. Several servers may do so concurrently. All migrations run in one
 * transaction, so an interrupted migration leaves nothing behind, not even a lock.
 *
 * @throws {StartupError} `database_unreachable`, `database_unsupported` or `schema_mismatch`, each with a remedy
 */
export async function migrate(
  connectionString: string,
  { log, migrations = MIGRATIONS }: MigrateOptions = {},
): Promise<void> {
  // Without limits, because another server may migrate a large database for minutes.
  const options = buildConnectionOptions(connectionString, { statement_timeout: '0', lock_timeout: '0' });
  // knex would wrap and log a failure to connect; this check explains it.
  await (await connect(options)).end();
  // Errors are thrown, so knex need not log them.
  const database = knex({
    client: 'pg',
    connection: options as Knex.PgConnectionConfig,
    pool: { min: 0, max: 1 },
    log: createKnexLogger(),
  });
  try {
    await database.transaction(async (transaction) => {
      await assertSupportedServer(transaction);
      await assertUsableSettings(transaction, splitOptions(connectionString).options);
      await disableTransactionTimeout(transaction);
      await transaction.raw('SELECT pg_advisory_xact_lock(?)', [MIGRATION_LOCK]);
      if (!choosesSchema(connectionString)) await assertNotInOtherSchema(transaction, MIGRATIONS_TABLE);
      await assertOwnSchema(
        transaction,
        MIGRATIONS_TABLE,
        migrations.map(({ name }) => name),
      );
      const applied = await applyMigrations(transaction, migrations);
      if (applied.length > 0) log?.info({ migrations: applied }, 'migrated the database');
    });
  } catch (error) {
    throw explainMigrationFailure(error);
  } finally {
    await database.destroy();
  }
}

function choosesSchema(connectionString: string): boolean {
  return /\bsearch_path\b/i.test(splitOptions(connectionString).options);
}

async function applyMigrations(transaction: Knex, migrations: readonly Migration[]): Promise<string[]> {
  const migrationSource: Knex.MigrationSource<Migration> = {
    getMigrations: () => Promise.resolve([...migrations]),
    getMigrationName: ({ name }) => name,
    getMigration: ({ up }) =>
      Promise.resolve({ up, down: () => Promise.reject(new Error('Migrations cannot be reverted.')) }),
  };
  const [, names] = (await transaction.migrate.latest({ tableName: MIGRATIONS_TABLE, migrationSource })) as [
    number,
    string[],
  ];
  return names;
}
