export type { EmbeddedLog } from './embedded-log.js';
export {
  EMBEDDED_POSTGRES_ERROR_CODES,
  EmbeddedPostgresError,
  type EmbeddedPostgresErrorCode,
} from './embedded-postgres-error.js';
export { findRunningServer } from './find-running-server.js';
export {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from './start-embedded-postgres.js';
export {
  createTestDatabase,
  startTestPostgres,
  TEST_POSTGRES_VARIABLE,
  type TestDatabase,
  type TestDatabaseTemplate,
  type TestPostgres,
} from './test-postgres.js';
