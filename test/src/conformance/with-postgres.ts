import { startTestPostgres, TEST_POSTGRES_VARIABLE } from '@countersign/testing';

/** Runs work on the PostgreSQL in the environment variable, or on a separate one. */
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
