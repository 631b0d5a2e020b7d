import { chmod, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { repairLibrarySymlinks } from './library-symlinks.js';
import { getErrorMessage } from './node-error.js';
import { runProgram } from './run-program.js';

/** Paths of the programs of a PostgreSQL installation. */
export interface PostgresBinaries {
  /** Contains `bin`, `lib` and `share`. */
  readonly nativeDirectory: string;
  readonly initdb: string;
  readonly postgres: string;
  readonly pgCtl: string;
}

export interface PostgresVersion {
  /** For example `18.4`. */
  readonly full: string;
  /** For example `18`. */
  readonly major: string;
}

/**
 * Finds the platform package of `embedded-postgres`, adds missing library symlinks and execute permissions, and returns
 * the paths of its programs.
 *
 * Only the binaries are used. The JavaScript of `embedded-postgres` is not loaded: it takes over the exit signals of
 * the process on import, passes the whole environment to PostgreSQL, starts it in our process group and kills it by
 * force on Windows.
 */
export async function locateBinaries(): Promise<PostgresBinaries> {
  const packageDirectory = locatePlatformPackage();
  await repairLibrarySymlinks(packageDirectory);
  const binaries = getBinaries(join(packageDirectory, 'native'));
  for (const program of [binaries.initdb, binaries.postgres, binaries.pgCtl]) await ensureExecutable(program);
  return binaries;
}

export function getBinaries(nativeDirectory: string): PostgresBinaries {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const getProgramPath = (name: string): string => join(nativeDirectory, 'bin', name + suffix);
  return {
    nativeDirectory,
    initdb: getProgramPath('initdb'),
    postgres: getProgramPath('postgres'),
    pgCtl: getProgramPath('pg_ctl'),
  };
}

/** Runs the program to read its version, which also proves that its libraries load on this machine. */
export async function readBinariesVersion(binaries: PostgresBinaries): Promise<PostgresVersion> {
  const { exitCode, output } = await runProgram(binaries.postgres, ['--version']);
  const full = /\(PostgreSQL\) (\d+[\w.]*)/.exec(output)?.[1];
  if (exitCode !== 0 || full === undefined) {
    throw new EmbeddedPostgresError(
      'embedded_postgres_not_installed',
      `The embedded PostgreSQL does not run on this machine (${binaries.postgres}): ${output.trim() || `exit code ${exitCode ?? 'unknown'}`}. Run \`npm rebuild\`, or set Storage:Postgres:ConnectionString to use a separate PostgreSQL server.`,
    );
  }
  return { full, major: full.split('.')[0] ?? full };
}

function locatePlatformPackage(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    // The platform package is a dependency of embedded-postgres and not of this package, so it is resolved from there.
    const requireFromHere = createRequire(import.meta.url);
    const requireFromParent = createRequire(requireFromHere.resolve('embedded-postgres'));
    return dirname(dirname(requireFromParent.resolve(name)));
  } catch (error) {
    throw new EmbeddedPostgresError(
      'embedded_postgres_not_installed',
      `The embedded PostgreSQL for this machine is missing: the package ${name} is not installed (${getErrorMessage(error).split('\n')[0] ?? ''}). If npm omitted optional dependencies, run \`npm ci --include=optional\`. Otherwise set Storage:Postgres:ConnectionString to use a separate PostgreSQL server.`,
      { cause: error },
    );
  }
}

async function ensureExecutable(program: string): Promise<void> {
  if (process.platform === 'win32') return;
  const { mode } = await stat(program);
  if ((mode & 0o111) === 0o111) return; // no needless chmod: the file system may be read-only
  try {
    await chmod(program, mode | 0o555);
  } catch (error) {
    throw new EmbeddedPostgresError(
      'embedded_postgres_not_installed',
      `${program} is not executable, and its mode cannot be changed (${getErrorMessage(error)}). Run \`npm rebuild\`, or make the file executable.`,
      { cause: error },
    );
  }
}
