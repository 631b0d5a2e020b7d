import pg from 'pg';
import type { StoragePort } from '@countersign/core/ports';
import { buildConnectionOptions } from './database/connection-options.js';
import { openPostgresStorage } from './open-postgres-storage.js';
import { createMigratedTestDatabase } from './create-migrated-test-database.js';

export interface TestStorage {
  readonly connectionString: string;
  readonly storage: StoragePort;
  /** Opens a connection in addition to those of the storage. */
  connect(): Promise<pg.Client>;
  dispose(): Promise<void>;
}

/** Creates a storage on its own migrated database. */
export async function createTestStorage(): Promise<TestStorage> {
  const { connectionString, drop } = await createMigratedTestDatabase();
  const { storage, close } = await openPostgresStorage({ connectionString, poolSize: 4 });
  const clients: pg.Client[] = [];
  return {
    connectionString,
    storage,
    connect: async () => {
      const client = new pg.Client(buildConnectionOptions(connectionString));
      clients.push(client);
      await client.connect();
      return client;
    },
    dispose: async () => {
      await Promise.all(clients.map((client) => client.end()));
      await close();
      await drop();
    },
  };
}

export async function captureError(work: Promise<unknown>): Promise<Error & { code?: unknown }> {
  try {
    await work;
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('Expected the promise to reject.');
}
