import { postgresStorages } from './postgres-storages.spec.support.js';
import { describeStorage } from './storage-contract.js';

// Here and not beside the plugin, as this package depends on the plugin for its test databases.
describeStorage('storage-postgres', () => postgresStorages());
