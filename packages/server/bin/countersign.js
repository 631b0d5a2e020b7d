#!/usr/bin/env node
// Entry point of the `countersign` command. It is plain JavaScript, so that npm can link it before the first build. In
// a source checkout, it first builds missing or stale packages.
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

// Tests build first and set this variable, because commands that run concurrently must not build concurrently.
if (isCheckout && process.env.COUNTERSIGN_SKIP_BUILD !== '1') buildIfStale();
if (!existsSync(join(server, 'dist', 'bin', 'main.js')))
  fail(`The installation of Countersign is incomplete: ${join(server, 'dist')} is missing. Reinstall it.`);

const { main } = await import('../dist/bin/main.js');
await main(process.argv.slice(2));
// The command is done, so open handles must not keep the process alive.
setTimeout(() => process.exit(), 2_000).unref();

function buildIfStale() {
  const targets = [server, join(root, 'packages', 'web'), ...findExamplePlugins()];
  if ([...collectReferences(targets)].some(isStale)) {
    process.stderr.write('Building Countersign…\n');
    run(compiler, '-b', ...targets);
  }
  run(join(root, 'scripts', 'copy-api-docs.mjs'));
  run(join(root, 'scripts', 'build-web.mjs')); // skips the build if it is up to date
}

/** Runs a script with its output on stderr, because a program may read the stdout of the command. */
function run(script, ...args) {
  const { status } = spawnSync(process.execPath, [script, ...args], { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) fail('The build failed, see above. After `npm ci` in the checkout it should pass.');
}

/** Returns whether a package was never built, or has a source file newer than its build output. */
function isStale(directory) {
  const built = getModifiedTime(join(directory, 'dist', '.tsbuildinfo'));
  return built === undefined || findNewestTime(join(directory, 'src')) > built;
}

/** Returns the directories of the examples that are plugins, which the configuration of the checkout may load. */
function findExamplePlugins() {
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

/** Returns the project directories and those of all their references. */
function collectReferences(directories, found = new Set()) {
  for (const directory of directories) {
    if (found.has(directory)) continue;
    found.add(directory);
    const { references = [] } = readJson(join(directory, 'tsconfig.json'));
    collectReferences(
      references.map(({ path }) => join(directory, path)),
      found,
    );
  }
  return found;
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function findNewestTime(directory) {
  let time = 0;
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    time = Math.max(time, entry.isDirectory() ? findNewestTime(path) : (getModifiedTime(path) ?? 0));
  }
  return time;
}

function getModifiedTime(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
