import { startTestPostgres, TEST_POSTGRES_VARIABLE } from '@countersign/testing';

/** Runs work with the PostgreSQL server in the environment variable or, if it is not set, with a temporary server. */
export async function withPostgres<T>(work: () => Promise<T>): Promise<T> {
  if (process.env[TEST_POSTGRES_VARIABLE] !== undefined) return work();
  const postgres = await startTestPostgres();
  process.env[TEST_POSTGRES_VARIABLE] = postgres.connectionString;
  try {
    return await work();
  } finally {
    await postgres.stop();
  }
}
