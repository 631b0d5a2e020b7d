import { createMigratedTestDatabase, openPostgresStorage } from '@countersign/storage-postgres';
import { describeDefinitionStore } from './definition-store-contract.js';

// This spec is in this package and not in the plugin, because this package depends on the plugin for test databases.
describeDefinitionStore('storage-postgres', async () => {
  const database = await createMigratedTestDatabase();
  const [firstServer, secondServer] = await Promise.all(
    [1, 2].map(() => openPostgresStorage({ connectionString: database.connectionString, poolSize: 5 })),
  );
  return {
    store: firstServer!.definitions,
    other: secondServer!.definitions,
    dispose: async () => {
      await Promise.all([firstServer!.close(), secondServer!.close()]);
      await database.drop();
    },
  };
});
