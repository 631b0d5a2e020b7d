import { spawn } from 'node:child_process';
import type { PostgresBinaries } from './binaries.js';
import type { DataDirectoryLayout } from './data-directory-layout.js';
import { openDirectoryAccess } from './directory-access.js';
import type { EmbeddedLog } from './embedded-log.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { pollUntil } from './poll.js';
import { readPostmasterPidFile } from './postmaster-pid-file.js';
import { PROGRAM_WORKING_DIRECTORY, buildProgramEnvironment, runProgram } from './run-program.js';
import { openServerLog, readServerLogTail } from './server-log.js';
import { buildListenArguments } from './server-settings.js';
import { stopPostmaster } from './stop-postmaster.js';
import type { PostgresUser } from './unprivileged-user.js';

/**
 * Maximum duration of a start. Recovery after a crash replays up to `max_wal_size` of the write-ahead log, which can
 * take minutes on a slow disk.
 */
const START_TIMEOUT_MS = 180_000;

export interface Postmaster {
  readonly pid: number;
  /**
   * Calls the listener once when the server ends for any reason, or immediately if it has ended. Never calls it on
   * Windows, where the server is not our child process.
   */
  onExit(listener: () => void): void;
}

/** Thrown when another process has taken the port since it was found to be free. */
export class PortLostError extends Error {}

export interface PostmasterOptions {
  readonly layout: DataDirectoryLayout;
  readonly binaries: PostgresBinaries;
  readonly user: PostgresUser | undefined;
  readonly port: number;
  readonly log: EmbeddedLog;
}

/** Starts the server and waits until it accepts connections. */
export async function startPostmaster(options: PostmasterOptions): Promise<Postmaster> {
  return process.platform === 'win32' ? startWithPgCtl(options) : startAsChild(options);
}

async function startAsChild({ layout, binaries, user, port, log }: PostmasterOptions): Promise<Postmaster> {
  const serverLog = await openServerLog(layout);
  const access = await openDirectoryAccess(layout.cluster, user);
  const exitListeners: (() => void)[] = [];
  let endReason: string | undefined;
  const child = spawn(binaries.postgres, ['-D', access.path, ...buildListenArguments(port)], {
    cwd: PROGRAM_WORKING_DIRECTORY,
    env: buildProgramEnvironment(),
    stdio: ['ignore', serverLog.fd, serverLog.fd, ...access.descriptors],
    uid: user?.uid,
    gid: user?.gid,
    // A separate session: Ctrl-C on the terminal signals the whole process group, but PostgreSQL must keep running
    // while the server drains.
    detached: true,
  });
  child.once('error', (error) => {
    endReason ??= error.message;
  });
  child.once('exit', (exitCode, signal) => {
    endReason ??= signal === null ? `exit code ${exitCode ?? 'unknown'}` : `signal ${signal}`;
    for (const listener of exitListeners) listener();
  });
  child.unref(); // a missing stop() must not block the exit; the watchdog then stops PostgreSQL
  await Promise.all([serverLog.close(), access.close()]);

  const { pid } = child;
  const startResult = await pollUntil(START_TIMEOUT_MS, 10, async () => {
    if (endReason !== undefined || pid === undefined) return 'ended';
    const file = await readPostmasterPidFile(layout.cluster);
    return file?.pid === pid && file.status === 'ready' ? 'ready' : undefined;
  });
  if (startResult === 'ready' && pid !== undefined)
    return { pid, onExit: (listener) => void (endReason === undefined ? exitListeners.push(listener) : listener()) };
  if (startResult === undefined && pid !== undefined) await stopPostmaster(pid, layout.cluster, binaries, log);
  throw await createStartError(
    layout,
    startResult === undefined ? `not ready after ${START_TIMEOUT_MS / 1000} s` : (endReason ?? 'could not be executed'),
  );
}

/**
 * Starts the server with pg_ctl on Windows, where PostgreSQL refuses administrators: pg_ctl drops those rights and
 * detaches the server.
 */
async function startWithPgCtl({ layout, binaries, port }: PostmasterOptions): Promise<Postmaster> {
  await (await openServerLog(layout)).close();
  const seconds = String(START_TIMEOUT_MS / 1000);
  const { exitCode, output } = await runProgram(binaries.pgCtl, [
    'start',
    '-D',
    layout.cluster,
    '-l',
    layout.logFile,
    '-o',
    buildListenArguments(port).join(' '),
    '-w',
    '-t',
    seconds,
  ]);
  const pid = (await readPostmasterPidFile(layout.cluster))?.pid;
  if (exitCode !== 0 || pid === undefined) throw await createStartError(layout, output.trim());
  return { pid, onExit: () => undefined };
}

async function createStartError(layout: DataDirectoryLayout, reason: string): Promise<Error> {
  const tail = await readServerLogTail(layout);
  if (/Address already in use|could not bind|could not create any TCP\/IP sockets/.test(tail))
    return new PortLostError(tail);
  return new EmbeddedPostgresError(
    'embedded_postgres_failed',
    `The embedded PostgreSQL did not start (${reason}). Read the reason in its log, ${layout.logFile}, fix the cause and start again. The usual causes are a full disk, missing permissions and too little memory. The end of the log:\n${tail || '(empty)'}`,
  );
}
