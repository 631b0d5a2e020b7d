import { createHash, randomBytes } from 'node:crypto';
import { chmod, cp, lstat, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { getBinaries, type PostgresBinaries, type PostgresVersion } from './binaries.js';
import type { EmbeddedLog } from './embedded-log.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { getErrorMessage, ignoreMissing } from './node-error.js';
import { canReadTree, findInaccessibleDirectory } from './directory-permissions.js';
import type { PostgresUser } from './unprivileged-user.js';

const SHARED_DIRECTORY = '/var/lib/countersign';

/**
 * Returns programs that the user that runs PostgreSQL can read. If this user cannot read the installed programs (for
 * example in a checkout below `/root`), copies them once to a directory that only root can write to and every user can
 * read. A descriptor, as for the data directory, is not sufficient here: PostgreSQL and the dynamic linker use the real
 * path of the program to find libraries and time zones next to it.
 */
export async function ensureReadableBinaries(
  installed: PostgresBinaries,
  version: PostgresVersion,
  user: PostgresUser | undefined,
  log: EmbeddedLog,
  sharedDirectory = SHARED_DIRECTORY,
): Promise<PostgresBinaries> {
  const source = installed.nativeDirectory;
  if (user === undefined) return installed;
  if ((await findInaccessibleDirectory(source, user)) === undefined && (await canReadTree(source, user)))
    return installed;

  // Another build of the same version must not be mistaken for this one.
  const { size, mtimeMs } = await stat(installed.postgres);
  const build = createHash('sha256').update(`${version.full} ${size} ${mtimeMs}`).digest('hex').slice(0, 12);
  const target = join(sharedDirectory, `postgres-${version.full}-${build}`);
  try {
    const createdDirectory = await mkdir(sharedDirectory, { recursive: true });
    if (createdDirectory !== undefined) await chmod(sharedDirectory, 0o755); // a umask of 077 would deny access
    await assertOnlyRootCanWrite(sharedDirectory);
    if ((await ignoreMissing(stat(target))) === undefined) {
      await copyReadable(source, target);
      log.info(
        { from: source, to: target, user: user.name },
        'copied the PostgreSQL programs, because PostgreSQL does not run as root and its user cannot read the installed ones',
      );
    }
    const inaccessibleDirectory = await findInaccessibleDirectory(target, user);
    if (inaccessibleDirectory !== undefined) throw new Error(`${user.name} cannot enter ${inaccessibleDirectory}`);
  } catch (error) {
    throw new EmbeddedPostgresError(
      'embedded_postgres_failed',
      `PostgreSQL runs as ${user.name}, not as root, and this user cannot read the programs in ${source}. They could not be copied to ${target}: ${getErrorMessage(error)}. Install Countersign in a directory that all users can read, or start it as a normal user.`,
      { cause: error },
    );
  }
  return getBinaries(target);
}

async function copyReadable(source: string, target: string): Promise<void> {
  const temporaryPath = `${target}.${randomBytes(6).toString('hex')}`;
  try {
    await cp(source, temporaryPath, { recursive: true, verbatimSymlinks: true, errorOnExist: true, force: false });
    await makeReadable(temporaryPath);
    // The rename is atomic. If another process has already created a complete directory, that one is used.
    await rename(temporaryPath, target).catch(async (error: unknown) => {
      if ((await ignoreMissing(stat(target))) === undefined) throw error;
    });
  } finally {
    await rm(temporaryPath, { recursive: true, force: true });
  }
}

async function makeReadable(directory: string): Promise<void> {
  await chmod(directory, 0o755);
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) await makeReadable(path);
    else if (entry.isFile()) await chmod(path, (await stat(path)).mode & 0o111 ? 0o755 : 0o644);
  }
}

/** Throws if a user other than root can write to the directory, because root runs programs from there. */
async function assertOnlyRootCanWrite(directory: string): Promise<void> {
  const { uid, mode } = await lstat(directory);
  if (uid !== 0 || (mode & 0o022) !== 0) throw new Error(`users other than root can write to ${directory}`);
}
