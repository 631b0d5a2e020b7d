export {
  createMigratedTestDatabase,
  createTestDatabase,
  startTestPostgres,
  TEST_POSTGRES_VARIABLE,
  type TestDatabase,
  type TestDatabaseTemplate,
  type TestPostgres,
} from '@countersign/storage-postgres';
