// Builds the engine for Temporal if its dependencies are installed. They are not part of the default installation,
// because they are large; `node scripts/build-temporal.mjs --install` installs them.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const directory = fileURLToPath(new URL('../packages/plugins/engine-temporal', import.meta.url));
const isInstalled = () => existsSync(join(directory, 'node_modules/@temporalio/worker/package.json'));

if (process.argv.includes('--install')) run('npm', ['ci', '--no-audit', '--no-fund']);
if (isInstalled()) {
  run(process.execPath, [fileURLToPath(new URL('tsc.mjs', import.meta.url)), '-b']);
  await bundleWorkflows();
}

/** Bundles the workflows, which Temporal executes in a sandbox. Their source map stays in the bundle. */
async function bundleWorkflows() {
  const workflows = join(directory, 'dist/workflows');
  const bundle = join(directory, 'dist/workflow-bundle.cjs');
  const digestFile = join(directory, 'dist/.workflow-bundle-of');
  const hash = createHash('sha256');
  for (const file of [join(directory, 'package-lock.json'), fileURLToPath(import.meta.url)])
    hash.update(readFileSync(file));
  for (const name of readdirSync(workflows).filter((name) => name.endsWith('.js') && !name.includes('.spec.')))
    hash.update(`\0${name}\0`).update(readFileSync(join(workflows, name)));
  const digest = hash.digest('hex');
  if (existsSync(bundle) && existsSync(digestFile) && readFileSync(digestFile, 'utf8') === digest) return;
  process.stderr.write('Bundling the workflows for Temporal…\n');
  const { bundleWorkflowCode, DefaultLogger } = createRequire(join(directory, 'package.json'))('@temporalio/worker');
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(workflows, 'index.js'),
    preloadModules: [join(workflows, 'disable-stack-traces.js')],
    logger: new DefaultLogger('WARN'),
  });
  writeFileSync(`${bundle}.${process.pid}`, code);
  renameSync(`${bundle}.${process.pid}`, bundle);
  writeFileSync(digestFile, digest);
}

/** @param {string} command @param {readonly string[]} options */
function run(command, options) {
  const { status } = spawnSync(command, options, { cwd: directory, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) process.exit(status ?? 1);
}
