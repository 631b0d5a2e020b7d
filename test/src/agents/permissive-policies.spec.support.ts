import type { JsonObject } from '@countersign/core';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Writes policies that permit everything, for tests of other safeguards, and returns the configuration that uses them.
 * Tainted writes still require an approval.
 *
 * @param parent directory of the test; the test removes it
 * @param extraPolicies additional policies, for example to forbid a host
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

/** Policies to forbid a host and a port, for `extraPolicies`. */
export const FORBID_LOCALHOST = `@id("forbid-localhost") @rationale("Access to localhost is forbidden.")
forbid (principal, action, resource) when { context.domains.contains("localhost") };
`;
export const FORBID_PORT_80 = `@id("forbid-port-80") @rationale("Access to port 80 is forbidden.")
forbid (principal, action, resource) when { context.ports.contains(80) };
`;
