import { createMigratedTestDatabase, openPostgresStorage } from '@countersign/storage-postgres';
import { describeSigningKeyStore } from './signing-key-store-contract.js';

// In this package, not in the plugin, because this package depends on the plugin for test databases.
describeSigningKeyStore('storage-postgres', async () => {
  const database = await createMigratedTestDatabase();
  const [one, two] = await Promise.all(
    [1, 2].map(() => openPostgresStorage({ connectionString: database.connectionString, poolSize: 5 })),
  );
  return {
    store: one!.signingKeys,
    other: two!.signingKeys,
    storage: one!.storage,
    dispose: async () => {
      await Promise.all([one!.close(), two!.close()]);
      await database.drop();
    },
  };
});
