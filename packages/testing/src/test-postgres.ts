export {
  createTestDatabase,
  startTestPostgres,
  TEST_POSTGRES_VARIABLE,
  type TestDatabase,
  type TestDatabaseTemplate,
  type TestPostgres,
} from '@countersign/embedded-postgres';
export { createMigratedTestDatabase } from '@countersign/storage-postgres';
