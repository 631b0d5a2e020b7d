import { runProgram } from './run-program.js';
import type { PostgresBinaries } from './binaries.js';
import type { EmbeddedLog } from './embedded-log.js';
import { getErrorCode } from './node-error.js';
import { pollUntil } from './poll.js';
import { isAlive } from './process-identity.js';

export interface StopTimeouts {
  /** Time for the fast shutdown, which ends with a checkpoint, in ms. */
  readonly fastMs: number;
  /** Time for the immediate shutdown that follows if the fast shutdown takes too long, in ms. */
  readonly immediateMs: number;
}

const DEFAULT_TIMEOUTS: StopTimeouts = { fastMs: 60_000, immediateMs: 15_000 };

/**
 * Stops a server with a fast shutdown (open transactions are rolled back, and everything is written to disk). If that
 * takes too long, stops it with an immediate shutdown (the next start recovers from the write-ahead log; no committed
 * data is lost).
 *
 * @returns whether the server has ended
 */
export async function stopPostmaster(
  pid: number,
  cluster: string,
  binaries: PostgresBinaries,
  log: EmbeddedLog,
  timeouts: StopTimeouts = DEFAULT_TIMEOUTS,
): Promise<boolean> {
  await requestStop('fast', pid, cluster, binaries);
  if (await waitForExit(pid, timeouts.fastMs)) return true;
  log.warn(
    { pid, waitedMs: timeouts.fastMs },
    'requesting an immediate shutdown of PostgreSQL, because the fast shutdown takes too long',
  );
  await requestStop('immediate', pid, cluster, binaries);
  return waitForExit(pid, timeouts.immediateMs);
}

async function requestStop(
  mode: 'fast' | 'immediate',
  pid: number,
  cluster: string,
  binaries: PostgresBinaries,
): Promise<void> {
  if (process.platform === 'win32') {
    // There are no signals; pg_ctl reaches the server through a separate pipe.
    await runProgram(binaries.pgCtl, ['stop', '-D', cluster, '-m', mode, '-W']);
    return;
  }
  try {
    process.kill(pid, mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
  } catch (error) {
    if (getErrorCode(error) !== 'ESRCH') throw error;
  }
}

async function waitForExit(pid: number, timeoutMs: number): Promise<boolean> {
  return (await pollUntil(timeoutMs, 10, async () => ((await isAlive(pid)) ? undefined : true))) ?? false;
}
