import { createMigratedTestDatabase, openPostgresStorage } from '@countersign/storage-postgres';
import { describeToolPinStore } from './tool-pin-store-contract.js';

// This spec is in this package and not in the plugin, because this package depends on the plugin for test databases.
describeToolPinStore('storage-postgres', async () => {
  const database = await createMigratedTestDatabase();
  const [firstServer, secondServer] = await Promise.all(
    [1, 2].map(() => openPostgresStorage({ connectionString: database.connectionString, poolSize: 5 })),
  );
  return {
    store: firstServer!.toolPins,
    other: secondServer!.toolPins,
    storage: firstServer!.storage,
    dispose: async () => {
      await Promise.all([firstServer!.close(), secondServer!.close()]);
      await database.drop();
    },
  };
});
