import { UNUSUAL_SETTINGS } from '@countersign/storage-postgres';
import { openPostgresStorages } from '../open-postgres-storages.spec.support.js';
import { describeStorage } from '../storage-contract.js';

describeStorage('storage-postgres, for a user with unusual settings', () =>
  openPostgresStorages({ settings: UNUSUAL_SETTINGS }),
);
