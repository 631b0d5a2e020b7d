import { createMigratedTestDatabase, openPostgresStorage } from '@countersign/storage-postgres';
import { describeStorage } from './storage-contract.js';

// Here and not beside the plugin, as this package depends on the plugin for its test databases.
describeStorage('storage-postgres', async () => {
  const database = await createMigratedTestDatabase();
  const [one, two] = await Promise.all(
    [1, 2].map(() => openPostgresStorage({ connectionString: database.connectionString, poolSize: 5 })),
  );
  return {
    storage: one!.storage,
    other: two!.storage,
    dispose: async () => {
      await Promise.all([one!.close(), two!.close()]);
      await database.drop();
    },
  };
});
