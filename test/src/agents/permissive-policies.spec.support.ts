import type { JsonObject } from '@countersign/core';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Policies that permit everything, as the configuration names them: for tests of what is not theirs. Tainted writes need a
 * person all the same.
 *
 * @param parent a directory of the test, which removes it
 */
export async function permissivePolicies(parent: string): Promise<JsonObject> {
  const directory = join(parent, 'permissive-policies');
  await mkdir(directory, { recursive: true });
  await writeFile(
    join(directory, 'all.cedar'),
    '@id("all") @rationale("All is permitted") permit (principal, action, resource);',
  );
  return { Policies: { Directory: directory } };
}
