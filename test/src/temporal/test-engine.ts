import type { TestEngine } from '@countersign/testing';
import { createTestEngine } from './temporal-host.spec.support.js';
import { TEST_TEMPORAL_VARIABLE } from './temporal-server.spec.support.js';

/** The Temporal engine for all test hosts: `node scripts/test.mjs --engine temporal SUITE`. */
export const testEngine: TestEngine = createTestEngine(requireAddress());

function requireAddress(): string {
  const address = process.env[TEST_TEMPORAL_VARIABLE];
  if (address === undefined) throw new Error(`${TEST_TEMPORAL_VARIABLE} is not set. Use scripts/test.mjs.`);
  return address;
}
