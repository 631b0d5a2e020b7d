import { loadPolicy } from '@countersign/policy-cedar';

/**
 * Checks policies in the same way as the start of the server.
 *
 * @throws {PolicyInvalidError} with every problem
 */
export async function checkPolicies(directory: string): Promise<void> {
  const { compiled } = await loadPolicy(directory);
  process.stdout.write(`${compiled.policies.length} policies, no problems. ${compiled.id} ${compiled.digest}\n`);
}
