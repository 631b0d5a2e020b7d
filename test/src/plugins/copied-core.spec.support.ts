import { cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Source of a plugin with a secret, whose handlers throw every kind of error that the host must recognize. */
const PLUGIN_SOURCE = `
import { ApiError, BpmnError, CountersignError, defineErrorCode, definePlugin, JobHandlerContribution, secret, TerminalFailure, WebhookContribution } from '@countersign/core/plugin';
import { z } from 'zod';

class Unsigned {
  path = '/webhooks/copied';
  isOpen() {
    return true;
  }
  async receive() {
    throw new ApiError('invalid_signature', 'The signature is wrong.');
  }
}

class UnsignedByFormerName extends Unsigned {
  path = '/webhooks/former';
  async receive() {
    throw new CountersignError('invalid_signature', 'The signature is wrong.');
  }
}

const QUOTA_EXCEEDED = defineErrorCode('copied/quota_exceeded', { status: 429, title: 'Quota exceeded', retryable: true });

class OverQuota extends Unsigned {
  path = '/webhooks/over-quota';
  async receive() {
    throw new ApiError(QUOTA_EXCEEDED, 'Only three deliveries a day are accepted.', { limit: 3, retryAfter: 60 });
  }
}

class Reject {
  jobType = 'reject';
  async execute() {
    throw new BpmnError('sold-out', 'The item is sold out.');
  }
}

class Fail {
  jobType = 'fail';
  async execute() {
    throw new TerminalFailure('no_such_item', 'The item does not exist.');
  }
}

export default definePlugin({
  id: 'copied',
  config: z.object({ Copied: z.object({ Token: secret() }) }),
  register({ contribute }) {
    contribute(WebhookContribution, Unsigned);
    contribute(WebhookContribution, UnsignedByFormerName);
    contribute(WebhookContribution, OverQuota);
    contribute(JobHandlerContribution, Reject);
    contribute(JobHandlerContribution, Fail);
  },
});
`;

/** Directory of a plugin with a copy of `@countersign/core` in its own `node_modules`. */
export interface PluginDirectory {
  readonly path: string;
  /** Changes the version of the copied core. Must be called before the copy is loaded. */
  setCoreVersion(version: string): Promise<void>;
  remove(): Promise<void>;
}

/**
 * Writes the plugin `copied` with its own copies of the core and of the packages of Countersign that the core needs.
 * Other packages are resolved from a parent directory, as with npm.
 */
export async function createPluginWithCopiedCore(): Promise<PluginDirectory> {
  const directory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-copied-core-'));
  const path = join(directory, 'plugin');
  const core = join(path, 'node_modules/@countersign/core');
  for (const name of ['core', 'model', 'bpmn', 'interpreter'])
    await copyPackage(name, join(path, 'node_modules/@countersign', name));
  await symlink(join(ROOT, 'node_modules'), join(directory, 'node_modules'), 'junction');
  await writeFile(
    join(path, 'package.json'),
    JSON.stringify({ name: 'copied', type: 'module', main: 'plugin.js', countersign: { id: 'copied', api: '*' } }),
  );
  await writeFile(join(path, 'plugin.js'), PLUGIN_SOURCE);
  return {
    path,
    setCoreVersion: (version) =>
      writeFile(join(core, 'dist/host/version.generated.js'), `export const VERSION = '${version}';\n`),
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}

/** Copies a package as npm would install it. */
async function copyPackage(name: string, to: string): Promise<void> {
  const from = join(ROOT, 'packages', name);
  await mkdir(to, { recursive: true });
  await cp(join(from, 'package.json'), join(to, 'package.json'));
  await cp(join(from, 'dist'), join(to, 'dist'), {
    recursive: true,
    filter: (source) => !/\.spec\.|\.map$|\.d\.ts$/.test(source),
  });
}
