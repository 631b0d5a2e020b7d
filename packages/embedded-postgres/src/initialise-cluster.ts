import {
  chown,
  constants,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { getAvailableMemory } from './available-memory.js';
import type { PostgresBinaries, PostgresVersion } from './binaries.js';
import { UNFINISHED_PREFIX, type DataDirectoryLayout } from './data-directory-layout.js';
import { openDirectoryAccess } from './directory-access.js';
import { syncDirectory, writeDurably } from './durable-file.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { getErrorCode, ignoreMissing } from './node-error.js';
import { runProgram } from './run-program.js';
import { SETTINGS_FILE, buildSettingsFile } from './server-settings.js';
import type { PostgresUser } from './unprivileged-user.js';

export const SUPERUSER = 'postgres';

/**
 * Returns whether a finished cluster exists.
 *
 * @throws {EmbeddedPostgresError} if this version of PostgreSQL cannot use the existing cluster
 */
export async function clusterExists(layout: DataDirectoryLayout, version: PostgresVersion): Promise<boolean> {
  const foundVersion = (await ignoreMissing(readFile(join(layout.cluster, 'PG_VERSION'), 'utf8')))?.trim();
  if (foundVersion === version.major) return true;
  if (foundVersion !== undefined) {
    throw new EmbeddedPostgresError(
      'embedded_postgres_version_mismatch',
      `The database in ${layout.cluster} was created by PostgreSQL ${foundVersion}; this version of Countersign includes PostgreSQL ${version.full}, which cannot read it. Nothing was changed. Either start the version of Countersign that created the database, dump it with pg_dump and restore it into a new data directory, or convert it with pg_upgrade.`,
    );
  }
  const entries = await ignoreMissing(readdir(layout.cluster));
  if (entries !== undefined && entries.length > 0) {
    throw new EmbeddedPostgresError(
      'embedded_postgres_failed',
      `${layout.cluster} contains files but no PG_VERSION, so it cannot be started as a database; it is not deleted, because it may contain data. Restore it from a backup, or move it away to start with an empty database.`,
    );
  }
  return false;
}

/**
 * Creates the cluster. initdb works in a directory with a temporary name, which is renamed when all its content is on
 * disk. An existing cluster is therefore complete, even after a power failure. Leftovers of earlier attempts are
 * recognised by their prefix and removed; no server has ever used them.
 */
export async function initialiseCluster(
  layout: DataDirectoryLayout,
  binaries: PostgresBinaries,
  user: PostgresUser | undefined,
  password: string,
): Promise<void> {
  await removeUnfinishedClusters(layout);
  const workDirectory = await mkdtemp(join(layout.root, UNFINISHED_PREFIX));
  try {
    const cluster = join(workDirectory, 'cluster');
    const passwordFile = join(workDirectory, 'password');
    await mkdir(cluster, { mode: 0o700 });
    // initdb reads the password as the user it runs as; on the command line every user could read it.
    await writeFile(passwordFile, `${password}\n`, { mode: 0o600, flag: 'wx' });
    if (user !== undefined) {
      for (const path of [passwordFile, cluster, workDirectory]) await chown(path, user.uid, user.gid);
    }
    await runInitdb(workDirectory, binaries, user);
    await rm(passwordFile);
    await writeSettings(cluster, user);
    await includeSettings(cluster);
    await rmdir(layout.cluster).catch((error: unknown) => {
      if (getErrorCode(error) !== 'ENOENT') throw error; // exists only if empty: see clusterExists
    });
    await rename(cluster, layout.cluster);
    await syncDirectory(layout.root);
  } finally {
    await rm(workDirectory, { recursive: true, force: true });
  }
}

export async function writeSettings(cluster: string, user: PostgresUser | undefined): Promise<void> {
  await writeDurably(join(cluster, SETTINGS_FILE), buildSettingsFile(getAvailableMemory()), {
    mode: 0o600,
    ...(user && { owner: user }),
  });
}

/**
 * Appends the directive that includes the settings. Does not follow a link in place of the file, because we may be root
 * in a directory of another user.
 */
async function includeSettings(cluster: string): Promise<void> {
  // Windows has no O_NOFOLLOW, although the types declare it, and no root.
  const noFollow: number | undefined = constants.O_NOFOLLOW;
  const handle = await open(
    join(cluster, 'postgresql.conf'),
    constants.O_WRONLY | constants.O_APPEND | (noFollow ?? 0),
  );
  try {
    await handle.appendFile(`\ninclude_if_exists = '${SETTINGS_FILE}'\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function runInitdb(
  workDirectory: string,
  binaries: PostgresBinaries,
  user: PostgresUser | undefined,
): Promise<void> {
  const access = await openDirectoryAccess(workDirectory, user);
  try {
    const { exitCode, output } = await runProgram(
      binaries.initdb,
      [
        `--pgdata=${access.path}/cluster`,
        `--pwfile=${access.path}/password`,
        `--username=${SUPERUSER}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        // Sorts by code point and changes case by Unicode, within PostgreSQL: an update of the system's C library or
        // ICU cannot silently reorder (and so corrupt) indexes, and every machine sorts alike.
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--locale=C',
        '--data-checksums',
        '--no-instructions',
      ],
      { uid: user?.uid, gid: user?.gid, descriptors: access.descriptors },
    );
    if (exitCode !== 0) {
      throw new EmbeddedPostgresError(
        'embedded_postgres_failed',
        `PostgreSQL could not initialise its data directory (initdb, exit code ${exitCode ?? 'unknown'}). Check the free space and the permissions of the disk. Output of initdb:\n${output.trim()}`,
      );
    }
  } finally {
    await access.close();
  }
}

async function removeUnfinishedClusters(layout: DataDirectoryLayout): Promise<void> {
  for (const entry of await readdir(layout.root, { withFileTypes: true })) {
    if (entry.isDirectory() && entry.name.startsWith(UNFINISHED_PREFIX)) {
      // If its parent was killed, initdb may still write here until it finds its files missing, so the removal is
      // retried.
      await rm(join(layout.root, entry.name), { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    }
  }
}
