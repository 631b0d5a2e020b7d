import type { PolicyFunction } from '@countersign/model';
import { Cedar } from './cedar.js';
import { compilePolicies, type CompiledPolicies } from './compile-policies.js';
import { createPolicy } from './create-policy.js';
import { assertSize, readPolicyFiles, readServerSchema, addDefaultSchema, type PolicyFiles } from './policy-files.js';

/**
 * Instance for the whole process. Creating an instance takes as long as thousands of decisions, and one instance can
 * hold many separate policy sets.
 */
const SHARED_CEDAR = new Cedar();

export interface LoadedPolicy {
  readonly policy: PolicyFunction;
  readonly compiled: CompiledPolicies;
}

/**
 * Loads the policies of a directory; without one, those shipped with the server.
 *
 * @throws {PolicyInvalidError} with all issues
 */
export async function loadPolicy(directory?: string): Promise<LoadedPolicy> {
  const { id, files } = await readPolicyFiles(directory);
  return makePolicy(id, files);
}

/**
 * Loads policies from their texts.
 *
 * @throws {PolicyInvalidError} with all issues
 */
export async function makePolicy(id: string, files: PolicyFiles): Promise<LoadedPolicy> {
  assertSize(files);
  const schema = await readServerSchema();
  const compiled = compilePolicies(SHARED_CEDAR, id, addDefaultSchema(files, schema), schema);
  return { policy: createPolicy(SHARED_CEDAR, compiled), compiled };
}
