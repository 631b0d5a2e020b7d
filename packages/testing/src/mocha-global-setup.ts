import { startTestPostgres, TEST_POSTGRES_VARIABLE, type TestPostgres } from './test-postgres.js';

let postgres: TestPostgres | undefined;

/** Runs once, in Mocha's main process; the workers inherit the address through their environment. */
export async function mochaGlobalSetup(): Promise<void> {
  if (process.env[TEST_POSTGRES_VARIABLE] !== undefined) return;
  postgres = await startTestPostgres();
  process.env[TEST_POSTGRES_VARIABLE] = postgres.connectionString;
}

export async function mochaGlobalTeardown(): Promise<void> {
  await postgres?.stop();
}
