import knex, { type Knex } from 'knex';
import type { LoggerPort } from '@countersign/core/plugin';
import { connectionOptions } from './database/connection-options.js';
import { connect } from './database/explain-connection-failure.js';
import { knexLog } from './database/knex-log.js';
import {
  explainMigrationFailure,
  refuseForeignSchema,
  refuseOtherSchema,
  refuseUnsupportedServer,
} from './database/schema-checks.js';
import { splitOptions } from './database/session-settings.js';
import { liftTransactionTimeout, refuseUnfitSettings } from './database/setting-checks.js';
import { MIGRATIONS, type Migration } from './migrations/index.js';

export const MIGRATIONS_TABLE = 'countersign_migrations';

/** Any constant; the same in all servers, so that one migrates and the others wait. */
const LOCK = 7_203_113_409_122_001;

export interface MigrateOptions {
  readonly log?: Pick<LoggerPort, 'info'>;
  readonly migrations?: readonly Migration[];
}

/**
 * Brings a database to the present schema. Several servers may do so at once. It is all in one transaction, so one that
 * is interrupted leaves nothing behind, no lock either.
 *
 * @throws `database_unreachable`, `database_unsupported`, `schema_mismatch`, each saying what to do.
 */
export async function migrate(
  connectionString: string,
  { log, migrations = MIGRATIONS }: MigrateOptions = {},
): Promise<void> {
  // Without limits: others may be migrating a large database for minutes.
  const options = connectionOptions(connectionString, { statement_timeout: '0', lock_timeout: '0' });
  // knex would wrap and log a failure to connect; this one explains it.
  await (await connect(options)).end();
  // What fails is thrown; it need not be said twice.
  const database = knex({
    client: 'pg',
    connection: options as Knex.PgConnectionConfig,
    pool: { min: 0, max: 1 },
    log: knexLog(),
  });
  try {
    await database.transaction(async (transaction) => {
      await refuseUnsupportedServer(transaction);
      await refuseUnfitSettings(transaction, splitOptions(connectionString).options);
      await liftTransactionTimeout(transaction);
      await transaction.raw('SELECT pg_advisory_xact_lock(?)', [LOCK]);
      if (!choosesSchema(connectionString)) await refuseOtherSchema(transaction, MIGRATIONS_TABLE);
      await refuseForeignSchema(
        transaction,
        MIGRATIONS_TABLE,
        migrations.map(({ name }) => name),
      );
      const applied = await apply(transaction, migrations);
      if (applied.length > 0) log?.info({ migrations: applied }, 'the database has been migrated');
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

async function apply(transaction: Knex, migrations: readonly Migration[]): Promise<string[]> {
  const migrationSource: Knex.MigrationSource<Migration> = {
    getMigrations: () => Promise.resolve([...migrations]),
    getMigrationName: ({ name }) => name,
    getMigration: ({ up }) =>
      Promise.resolve({ up, down: () => Promise.reject(new Error('Migrations have no way back.')) }),
  };
  const [, names] = (await transaction.migrate.latest({ tableName: MIGRATIONS_TABLE, migrationSource })) as [
    number,
    string[],
  ];
  return names;
}
