import { TEST_TEMPORAL_VARIABLE, TemporalServer } from './temporal-server.spec.support.js';

export { obstacle } from './temporal-server.spec.support.js';

let server: TemporalServer | undefined;

/** Runs once, in Mocha's main process; the workers inherit the address through their environment. */
export async function mochaGlobalSetup(): Promise<void> {
  server = await TemporalServer.start();
  process.env[TEST_TEMPORAL_VARIABLE] = server.address;
}

export async function mochaGlobalTeardown(): Promise<void> {
  await server?.close();
}
