import type { LoggerPort } from '@countersign/core/plugin';
import type { DefinitionStore, SigningKeyStore, StoragePort, ToolPinStore } from '@countersign/core/ports';
import { PostgresDefinitions } from './definitions/postgres-definitions.js';
import { PostgresDatabase } from './database/postgres-database.js';
import { migrate } from './migrate.js';
import { PostgresSigningKeys } from './signing-keys/postgres-signing-keys.js';
import { PostgresStorage } from './postgres-storage.js';
import { PostgresToolPins } from './tool-pins/postgres-tool-pins.js';

export interface PostgresStorageOptions {
  readonly connectionString: string;
  readonly poolSize?: number;
  readonly log?: Pick<LoggerPort, 'info' | 'warn'>;
}

/** Migrates a database and opens it and its stores without a host, for tests, benchmarks and tools. */
export async function openPostgresStorage({ connectionString, poolSize = 10, log }: PostgresStorageOptions): Promise<{
  readonly storage: StoragePort;
  readonly definitions: DefinitionStore;
  readonly toolPins: ToolPinStore;
  readonly signingKeys: SigningKeyStore;
  close(): Promise<void>;
}> {
  await migrate(connectionString, log === undefined ? {} : { log });
  const database = new PostgresDatabase();
  database.open({ connectionString, poolSize, ...(log === undefined ? {} : { log }) });
  return {
    storage: new PostgresStorage(database),
    definitions: new PostgresDefinitions(database),
    toolPins: new PostgresToolPins(database),
    signingKeys: new PostgresSigningKeys(database),
    close: () => database.close(),
  };
}
