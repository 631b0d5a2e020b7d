import { createMigratedTestDatabase, openPostgresStorage } from '@countersign/storage-postgres';
import type { StorageUnderTest } from './storage-under-test.js';

/** Opens two storages on one migrated database, which is created with the given options. */
export async function openPostgresStorages(
  options?: Parameters<typeof createMigratedTestDatabase>[0],
): Promise<StorageUnderTest> {
  const database = await createMigratedTestDatabase(options);
  const open = (): ReturnType<typeof openPostgresStorage> =>
    openPostgresStorage({ connectionString: database.connectionString, poolSize: 5 });
  const [firstServer, secondServer] = await Promise.all([open(), open()]);
  return {
    storage: firstServer.storage,
    other: secondServer.storage,
    dispose: async () => {
      await Promise.all([firstServer.close(), secondServer.close()]);
      await database.drop();
    },
  };
}
