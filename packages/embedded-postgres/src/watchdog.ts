import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PROGRAM_DIRECTORY, buildProgramEnvironment } from './run-program.js';

/** `read` succeeds on our farewell and fails when the pipe breaks, that is, when we died without one. */
const WATCHDOG_SCRIPT = 'trap "" HUP INT TERM; read -r farewell || kill -INT "$1"';

export interface Watchdog {
  /** Must be called after PostgreSQL has stopped. */
  dismiss(): Promise<void>;
}

const NO_WATCHDOG: Watchdog = { dismiss: () => Promise.resolve() };

/**
 * Stops PostgreSQL if this process dies without doing so (`kill -9`, out of memory): a shell of 1 MB in a separate
 * session that waits on a pipe that only we hold. The kernel closes the pipe however we die.
 *
 * It complements recovery at the next start and does not replace it: the shell can be killed too, Windows has none, and
 * the next start may come before PostgreSQL has ended. A supervisor between us and PostgreSQL would be another
 * component that must not fail; this one may.
 */
export function startWatchdog(postmasterPid: number): Watchdog {
  if (process.platform === 'win32') return NO_WATCHDOG;
  const child = spawn('/bin/sh', ['-c', WATCHDOG_SCRIPT, 'countersign-postgres-watchdog', String(postmasterPid)], {
    cwd: PROGRAM_DIRECTORY,
    env: buildProgramEnvironment(),
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true, // a Ctrl-C on the terminal must not reach it
  });
  const { stdin } = child;
  const exited = once(child, 'exit').catch(() => undefined);
  child.on('error', () => undefined);
  stdin.on('error', () => undefined); // the shell was killed
  child.unref();
  // The types hide that a pipe to a child is a socket, which would keep our process running.
  if ('unref' in stdin && typeof stdin.unref === 'function') stdin.unref();
  return {
    async dismiss() {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
      child.ref();
      stdin.end('stopped\n');
      await exited;
    },
  };
}
