import { startTestPostgres, TEST_POSTGRES_VARIABLE } from '@countersign/testing';

/** Works on the PostgreSQL that the environment names, or on one of its own. */
export async function onPostgres<T>(work: () => Promise<T>): Promise<T> {
  if (process.env[TEST_POSTGRES_VARIABLE] !== undefined) return work();
  const postgres = await startTestPostgres();
  process.env[TEST_POSTGRES_VARIABLE] = postgres.connectionString;
  try {
    return await work();
  } finally {
    await postgres.stop();
  }
}
