import { rm } from 'node:fs/promises';
import type { PostgresBinaries } from './binaries.js';
import { isServerProcess, findServerProcesses } from './cluster-processes.js';
import type { EmbeddedLog } from './embedded-log.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { getErrorCode } from './node-error.js';
import { pollUntil } from './poll.js';
import { getPostmasterPidPath, readPostmasterPidFile } from './postmaster-pid-file.js';
import { isAlive, isPidInUse } from './process-identity.js';
import { stopPostmaster } from './stop-postmaster.js';

const ORPHANED_BACKENDS_TIMEOUT_MS = 10_000;

/**
 * Stops the server that a killed Countersign process left running. Only the owner of the data directory may call this.
 *
 * The server is stopped and not reused, because a new server has the binaries and settings of this version, writes to
 * our log, has a watchdog and is our child process, so we notice its exit. Stopping it takes less than a second, and
 * usually the watchdog has already requested it.
 */
export async function clearLeftoverServer(
  cluster: string,
  binaries: PostgresBinaries,
  log: EmbeddedLog,
): Promise<void> {
  const leftover = await readPostmasterPidFile(cluster);
  if (
    leftover !== undefined &&
    leftover.pid < 0 &&
    (await isAlive(-leftover.pid)) &&
    (await isServerProcess(-leftover.pid, cluster))
  ) {
    throw new EmbeddedPostgresError(
      'embedded_postgres_in_use',
      `The database in ${cluster} is in use in single-user mode (process ${-leftover.pid}). Stop that process first.`,
    );
  }
  const pid = Math.abs(leftover?.pid ?? 0);
  if (pid !== 0 && (await isAlive(pid)) && (await isServerProcess(pid, cluster))) {
    log.warn({ pid, cluster }, 'stopping a PostgreSQL server that a killed Countersign process left running');
    if (!(await stopPostmaster(pid, cluster, binaries, log))) throw createStuckError(cluster, [pid]);
  }
  await waitForOrphanedBackends(cluster, log);
  if (pid !== 0 && isPidInUse(pid)) {
    // Another program got the former server's id, or the killed server is a zombie whose parent has not waited for it
    // (in a container, process 1 may never do so). PostgreSQL would take either for a running server and refuse to
    // start. No server is left (see above), so the file may be removed. If the id is free, PostgreSQL replaces the file
    // itself after it has checked whether shared memory is in use.
    log.info(
      { pid, cluster },
      'removing the pid file of an ended PostgreSQL server, because another process has its process id now',
    );
    await rm(getPostmasterPidPath(cluster), { force: true });
  }
}

/**
 * Waits until the child processes of a killed server have ended, and stops those that have not. A busy process ends
 * only after its statement.
 */
async function waitForOrphanedBackends(cluster: string, log: EmbeddedLog): Promise<void> {
  const checkAllEnded = async (): Promise<true | undefined> =>
    (await findServerProcesses(cluster)).length === 0 ? true : undefined;
  if (await checkAllEnded()) return;
  log.warn({ cluster }, 'waiting for the last processes of a killed PostgreSQL server');
  if (await pollUntil(ORPHANED_BACKENDS_TIMEOUT_MS, 50, checkAllEnded)) return;
  for (const pid of await findServerProcesses(cluster)) {
    try {
      process.kill(pid, 'SIGQUIT');
    } catch (error) {
      if (getErrorCode(error) !== 'ESRCH') throw error;
    }
  }
  if (await pollUntil(ORPHANED_BACKENDS_TIMEOUT_MS, 50, checkAllEnded)) return;
  throw createStuckError(cluster, await findServerProcesses(cluster));
}

function createStuckError(cluster: string, pids: readonly number[]): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'embedded_postgres_failed',
    `PostgreSQL processes of an earlier start still use ${cluster} and do not stop: ${pids.join(', ')}. Find out what they wait for (often a disk that does not respond), stop them, and start again.`,
  );
}
