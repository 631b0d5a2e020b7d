import { createMigratedTestDatabase, openPostgresStorage } from '@countersign/storage-postgres';
import { describeDefinitionStore } from './definition-store-contract.js';

// In this package, not in the plugin, because this package depends on the plugin for test databases.
describeDefinitionStore('storage-postgres', async () => {
  const database = await createMigratedTestDatabase();
  const [one, two] = await Promise.all(
    [1, 2].map(() => openPostgresStorage({ connectionString: database.connectionString, poolSize: 5 })),
  );
  return {
    store: one!.definitions,
    other: two!.definitions,
    dispose: async () => {
      await Promise.all([one!.close(), two!.close()]);
      await database.drop();
    },
  };
});
