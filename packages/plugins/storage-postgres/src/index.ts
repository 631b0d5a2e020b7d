export { migrate, type MigrateOptions } from './migrate.js';
export { openPostgresStorage, type PostgresStorageOptions } from './open-postgres-storage.js';
export { storagePostgresPlugin } from './plugin.js';
export { createMigratedTestDatabase, UNUSUAL_SETTINGS } from './create-migrated-test-database.js';
