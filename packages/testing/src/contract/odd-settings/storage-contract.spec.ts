import { createMigratedTestDatabase, ODD_SETTINGS, openPostgresStorage } from '@countersign/storage-postgres';
import { describeStorage } from '../storage-contract.js';

describeStorage('storage-postgres, for a user with odd settings', async () => {
  const database = await createMigratedTestDatabase({ settings: ODD_SETTINGS });
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
