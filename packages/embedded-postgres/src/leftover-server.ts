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
 * It is stopped, not adopted: the new server has this version's binaries and settings, a log we hold and a watchdog,
 * and is our child, whose exit we see. That costs less than a second, and usually the watchdog is already stopping it.
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
    // start. No server is left (see above), so the file may be removed. With a free id PostgreSQL replaces the file
    // itself, after it has checked for shared memory in use.
    log.info(
      { pid, cluster },
      'removing the pid file of an ended PostgreSQL server, because another process has its process id now',
    );
    await rm(getPostmasterPidPath(cluster), { force: true });
  }
}

/** Waits for the children of a killed server, which end on their own, but a busy one only after its statement. */
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
