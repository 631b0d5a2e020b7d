import { loadPolicy } from '@countersign/policy-cedar';

/**
 * Checks policies as the start of the server does.
 *
 * @throws {PolicyInvalidError} with everything that is wrong
 */
export async function checkPolicies(directory: string): Promise<void> {
  const { compiled } = await loadPolicy(directory);
  process.stdout.write(`${compiled.policies.length} policies, nothing wrong. ${compiled.id} ${compiled.digest}\n`);
}
