import type { JsonObject } from '@countersign/core';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Creates policies that permit everything, as named in the configuration, for tests of other safeguards. Tainted writes
 * still require an approval.
 *
 * @param parent directory of the test; the test removes it
 * @param extraPolicies policies that forbid something
 */
export async function writePermissivePolicies(parent: string, extraPolicies = ''): Promise<JsonObject> {
  const directory = join(parent, 'permissive-policies');
  await mkdir(directory, { recursive: true });
  await writeFile(
    join(directory, 'all.cedar'),
    `@id("all") @rationale("All is permitted") permit (principal, action, resource);\n${extraPolicies}`,
  );
  return { Policies: { Directory: directory } };
}

/** One rule for each kind of outbound access. */
export const FORBID_LOCALHOST = `@id("not-there") @rationale("Nothing goes there.")
forbid (principal, action, resource) when { context.domains.contains("localhost") };
`;
export const FORBID_PORT_80 = `@id("not-to-80") @rationale("Nothing goes to port 80.")
forbid (principal, action, resource) when { context.ports.contains(80) };
`;
