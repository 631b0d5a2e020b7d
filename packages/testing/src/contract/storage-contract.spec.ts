import { openPostgresStorages } from './open-postgres-storages.spec.support.js';
import { describeStorage } from './storage-contract.js';

// This spec is in this package, because the plugin cannot depend on it: this package depends on the plugin for test
// databases.
describeStorage('storage-postgres', () => openPostgresStorages());
