// Finds the Temporal server for the tests of the Temporal engine, and prints its path. `--build` builds it from its Go
// module first, which takes minutes, unless it is in the user's cache directory already. All checkouts share that
// directory, and it has one folder for each version.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { getCachePath, moveIntoCache } from './user-cache.mjs';

const VERSION = '1.30.4';

/** The server, and the program that creates its tables in PostgreSQL. */
const PROGRAMS = ['cmd/server', 'cmd/tools/sql'];

const directory = getCachePath(`temporal-${VERSION}`);
const isBuild = process.argv.includes('--build');
const problem = isBuild ? build() : 'Build it: node scripts/temporal-for-tests.mjs --build';
if (!isBuilt()) {
  process.stderr.write(`There is no Temporal server for the tests. ${problem}\n`);
  // Without Go, the tests that need the server are skipped.
  process.exit(isBuild && !hasGo() ? 0 : 1);
}
process.stdout.write(`${directory}\n`);

function isBuilt() {
  return existsSync(join(directory, 'server'));
}

/** Builds the server, unless it exists. Returns why it cannot be built, if so. */
function build() {
  if (isBuilt()) return undefined;
  if (!hasGo()) return 'Go is not installed.';
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
    moveIntoCache(work, directory);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return undefined;
}

function hasGo() {
  return spawnSync('go', ['version'], { stdio: 'ignore' }).error === undefined;
}
