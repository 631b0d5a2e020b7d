#!/usr/bin/env node
// The entry of the `countersign` command. It is committed as it is, so that npm can link it before anything has been
// built; in a checkout of the sources it builds what is missing or stale first.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19))
  fail(`Countersign needs Node.js 20.19 or later; this is ${process.versions.node}.`);

const server = dirname(dirname(fileURLToPath(import.meta.url)));
const root = dirname(dirname(server));
const compiler = join(root, 'scripts', 'tsc.mjs');
const isCheckout = existsSync(join(server, 'src')) && existsSync(compiler);

// Tests have built before, and many commands at once must not build over each other.
if (isCheckout && process.env.COUNTERSIGN_SKIP_BUILD !== '1') buildIfStale();
if (!existsSync(join(server, 'dist', 'bin', 'main.js')))
  fail(`Countersign is not installed completely: ${join(server, 'dist')} is missing. Install it again.`);

const { main } = await import('../dist/bin/main.js');
await main(process.argv.slice(2));
// Whatever still holds the process, the command has done its work.
setTimeout(() => process.exit(), 2_000).unref();

function buildIfStale() {
  const targets = [server, join(root, 'packages', 'web'), ...examplePlugins()];
  if ([...withReferences(targets)].some(isStale)) {
    process.stderr.write('Building Countersign …\n');
    run(compiler, '-b', ...targets);
  }
  run(join(root, 'scripts', 'copy-api-docs.mjs'));
  run(join(root, 'scripts', 'build-web.mjs')); // looks itself whether there is anything to do
}

/** All to stderr: what a command prints on stdout may be read by a program. */
function run(script, ...args) {
  const { status } = spawnSync(process.execPath, [script, ...args], { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) fail('The build failed, see above. After `npm ci` in the checkout it should pass.');
}

/** Whether a source of a package is newer than what was built of it, or was never built. */
function isStale(directory) {
  const built = modified(join(directory, 'dist', '.tsbuildinfo'));
  return built === undefined || newest(join(directory, 'src')) > built;
}

/** Examples that the configuration of the checkout loads as plugins. */
function examplePlugins() {
  const examples = join(root, 'examples');
  if (!existsSync(examples)) return [];
  return readdirSync(examples)
    .map((name) => join(examples, name))
    .filter(
      (directory) =>
        existsSync(join(directory, 'package.json')) &&
        readJson(join(directory, 'package.json')).countersign !== undefined,
    );
}

/** These projects and those that they are built on. */
function withReferences(directories, found = new Set()) {
  for (const directory of directories) {
    if (found.has(directory)) continue;
    found.add(directory);
    const { references = [] } = readJson(join(directory, 'tsconfig.json'));
    withReferences(
      references.map(({ path }) => join(directory, path)),
      found,
    );
  }
  return found;
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function newest(directory) {
  let time = 0;
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    time = Math.max(time, entry.isDirectory() ? newest(path) : (modified(path) ?? 0));
  }
  return time;
}

function modified(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
