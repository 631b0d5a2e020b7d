import { stat } from 'node:fs/promises';
import type { EmbeddedLog } from './embedded-log.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { ignoreMissing } from './node-error.js';
import { runProgram } from './run-program.js';

/** User that PostgreSQL runs as. */
export interface PostgresUser {
  readonly uid: number;
  readonly gid: number;
  readonly name: string;
}

const DEDICATED_USER_NAME = 'countersign';

/**
 * Returns the user to run PostgreSQL as. PostgreSQL refuses to run as root, so as root we choose:
 * 1. the owner of the existing cluster, so that a second start never changes the owner;
 * 2. `countersign`, if the operator (or an earlier start) created that user;
 * 3. `postgres`, the user that PostgreSQL packages usually create;
 * 4. a new system user `countersign`, without home or shell;
 * 5. `nobody`, if users cannot be created (a read-only /etc): it works, but other services may share it.
 *
 * @returns `undefined` if we are not root: PostgreSQL then runs as the current user
 */
export async function choosePostgresUser(
  clusterDirectory: string,
  log: EmbeddedLog,
): Promise<PostgresUser | undefined> {
  if (process.geteuid?.() !== 0) return undefined;
  const owner = await ignoreMissing(stat(clusterDirectory));
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid, name: `uid ${owner.uid}` };
  const existing = (await findUser(DEDICATED_USER_NAME)) ?? (await findUser('postgres'));
  if (existing !== undefined) return existing;
  await createSystemUser();
  const created = await findUser(DEDICATED_USER_NAME);
  if (created !== undefined) {
    log.info({ user: DEDICATED_USER_NAME }, 'created a system user for PostgreSQL, because it refuses to run as root');
    return created;
  }
  const nobody = await findUser('nobody');
  if (nobody !== undefined) {
    log.warn(
      { user: 'nobody' },
      'running PostgreSQL as "nobody", because it refuses to run as root and no user could be created for it; other services may run as this user, too',
    );
    return nobody;
  }
  throw new EmbeddedPostgresError(
    'embedded_postgres_failed',
    `PostgreSQL refuses to run as root; this machine has no other user for it, and creating a user failed. Create a system user "${DEDICATED_USER_NAME}", or start Countersign as a normal user.`,
  );
}

async function findUser(name: string): Promise<PostgresUser | undefined> {
  const [uid, gid] = await Promise.all([readNumericId('-u', name), readNumericId('-g', name)]);
  return uid === undefined || gid === undefined || uid === 0 ? undefined : { uid, gid, name };
}

async function readNumericId(flag: '-u' | '-g', name: string): Promise<number | undefined> {
  const { exitCode, output } = await runProgram('id', [flag, name]).catch(() => ({ exitCode: 1, output: '' }));
  return exitCode === 0 && /^\d+\s*$/.test(output) ? Number.parseInt(output, 10) : undefined;
}

/**
 * Tries `useradd` of shadow-utils, then `adduser` of BusyBox (Alpine). Ignores failures: the caller checks whether the
 * user exists.
 */
async function createSystemUser(): Promise<void> {
  const failed = { exitCode: 1, output: '' };
  const { exitCode } = await runProgram('useradd', [
    '--system',
    '--user-group',
    '--no-create-home',
    '--home-dir',
    '/nonexistent',
    '--shell',
    '/usr/sbin/nologin',
    DEDICATED_USER_NAME,
  ]).catch(() => failed);
  if (exitCode !== 0)
    await runProgram('adduser', [
      '-S',
      '-D',
      '-H',
      '-h',
      '/nonexistent',
      '-s',
      '/sbin/nologin',
      DEDICATED_USER_NAME,
    ]).catch(() => failed);
}
