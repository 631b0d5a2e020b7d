import { ODD_SETTINGS } from '@countersign/storage-postgres';
import { postgresStorages } from '../postgres-storages.spec.support.js';
import { describeStorage } from '../storage-contract.js';

describeStorage('storage-postgres, for a user with odd settings', () => postgresStorages({ settings: ODD_SETTINGS }));
