import type { JsonObject } from '@countersign/core';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Policies that permit everything, as the configuration names them: for tests of what is not theirs. Tainted writes need a
 * person all the same.
 *
 * @param parent a directory of the test, which removes it
 * @param others what they do not permit
 */
export async function permissivePolicies(parent: string, others = ''): Promise<JsonObject> {
  const directory = join(parent, 'permissive-policies');
  await mkdir(directory, { recursive: true });
  await writeFile(
    join(directory, 'all.cedar'),
    `@id("all") @rationale("All is permitted") permit (principal, action, resource);\n${others}`,
  );
  return { Policies: { Directory: directory } };
}

/** One rule each, for every way out. */
export const NOT_TO_LOCALHOST = `@id("not-there") @rationale("Nothing goes there.")
forbid (principal, action, resource) when { context.domains.contains("localhost") };
`;
export const NOT_TO_PORT_80 = `@id("not-to-80") @rationale("Nothing goes to port 80.")
forbid (principal, action, resource) when { context.ports.contains(80) };
`;
