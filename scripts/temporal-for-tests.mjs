// Finds the Temporal server for the tests of the Temporal engine, and prints its path. `--build` builds it from its Go
// module first, which takes minutes, unless it is in the user's cache directory already. All checkouts share that
// directory, and it has one folder for each version.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const VERSION = '1.30.4';

/** The server, and the program that creates its tables in PostgreSQL. */
const PROGRAMS = ['cmd/server', 'cmd/tools/sql'];

/** Returns the directory of the Temporal server; `undefined` if it was not built. */
export function findTemporal() {
  const directory = getDirectory();
  return existsSync(join(directory, 'server')) ? directory : undefined;
}

/**
 * Builds the Temporal server, unless it exists.
 *
 * @returns {string | undefined} why it cannot be built
 */
export function buildTemporal() {
  if (findTemporal() !== undefined) return undefined;
  if (!hasGo()) return 'Go is not installed.';
  const directory = getDirectory();
  mkdirSync(dirname(directory), { recursive: true });
  const work = mkdtempSync(`${directory}-`);
  try {
    process.stderr.write(`Building Temporal ${VERSION}. This takes several minutes…\n`);
    const { status } = spawnSync(
      'go',
      ['install', '-ldflags=-s -w', ...PROGRAMS.map((program) => `go.temporal.io/server/${program}@v${VERSION}`)],
      { env: { ...process.env, GOBIN: work }, stdio: ['ignore', 'inherit', 'inherit'] },
    );
    if (status !== 0) return `The build of Temporal ${VERSION} failed. See the messages of Go above.`;
    try {
      renameSync(work, directory);
    } catch (error) {
      // Another process has built the server in the meantime.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return undefined;
}

function hasGo() {
  return spawnSync('go', ['version'], { stdio: 'ignore' }).error === undefined;
}

function getDirectory() {
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  return join(cache, 'countersign', `temporal-${VERSION}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const isBuild = process.argv.includes('--build');
  const problem = isBuild ? buildTemporal() : 'Build it: node scripts/temporal-for-tests.mjs --build';
  const directory = findTemporal();
  if (directory === undefined) {
    process.stderr.write(`There is no Temporal server for the tests. ${problem}\n`);
    // Without Go, the tests that need the server are skipped.
    process.exit(isBuild && !hasGo() ? 0 : 1);
  }
  process.stdout.write(`${directory}\n`);
}
