import type { TestEngine } from '@countersign/testing';
import { requireTemporalEngine } from './temporal-host.spec.support.js';
import { TEST_NAMESPACE } from './temporal-server.spec.support.js';

/** Environment variable with the address of the Temporal server that all test hosts use. */
export const TEST_TEMPORAL_VARIABLE = 'COUNTERSIGN_TEST_TEMPORAL';

/** The Temporal engine for all test hosts: `node scripts/test.mjs --engine temporal SUITE`. */
export const testEngine: TestEngine = {
  plugin: requireTemporalEngine(),
  configure: (installation) => ({
    Engine: {
      Adapter: 'temporal',
      Temporal: {
        Address: requireAddress(),
        Namespace: TEST_NAMESPACE,
        TaskQueuePrefix: installation,
      },
    },
  }),
};

function requireAddress(): string {
  const address = process.env[TEST_TEMPORAL_VARIABLE];
  if (address === undefined) throw new Error(`${TEST_TEMPORAL_VARIABLE} is not set. Use scripts/test.mjs.`);
  return address;
}
