import { createTestDatabase } from '@countersign/embedded-postgres';
import pg from 'pg';
import { migrate } from '../migrate.js';
import { MIGRATIONS } from './index.js';

export interface DatabaseBeforeMigration {
  readonly client: pg.Client;
  /** Applies the migration and all later migrations. */
  migrate(): Promise<void>;
  drop(): Promise<void>;
}

/** Creates a database with the schema before a migration, so that a spec can insert the data of an older version. */
export async function createDatabaseBeforeMigration(migration: string): Promise<DatabaseBeforeMigration> {
  const { connectionString, drop } = await createTestDatabase();
  const client = new pg.Client({ connectionString });
  await client.connect();
  const index = MIGRATIONS.findIndex(({ name }) => name === migration);
  if (index === -1) throw new Error(`There is no migration ${migration}.`);
  await migrate(connectionString, { migrations: MIGRATIONS.slice(0, index) });
  return {
    client,
    migrate: async () => {
      await migrate(connectionString);
    },
    drop: async () => {
      await client.end();
      await drop();
    },
  };
}
