import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PROGRAM_WORKING_DIRECTORY, buildProgramEnvironment } from './run-program.js';

/**
 * Shell script of the watchdog. `read` succeeds if this process writes a line before it exits, and fails if this
 * process dies and the pipe is closed.
 */
const WATCHDOG_SCRIPT = 'trap "" HUP INT TERM; read -r farewell || kill -INT "$1"';

export interface Watchdog {
  /** Ends the watchdog. Must be called after PostgreSQL has stopped. */
  dismiss(): Promise<void>;
}

const NO_WATCHDOG: Watchdog = { dismiss: () => Promise.resolve() };

/**
 * Starts a watchdog that stops PostgreSQL if this process dies without stopping it (`kill -9`, out of memory). The
 * watchdog is a shell of 1 MB in a separate session. It reads from a pipe whose other end only this process has open,
 * and the kernel closes the pipe whenever this process dies.
 *
 * The watchdog complements recovery at the next start and does not replace it: the shell can be killed too, Windows has
 * no watchdog, and the next start may occur before PostgreSQL has ended. A supervisor between this process and
 * PostgreSQL would be another component that must not fail; the watchdog may fail.
 */
export function startWatchdog(postmasterPid: number): Watchdog {
  if (process.platform === 'win32') return NO_WATCHDOG;
  const child = spawn('/bin/sh', ['-c', WATCHDOG_SCRIPT, 'countersign-postgres-watchdog', String(postmasterPid)], {
    cwd: PROGRAM_WORKING_DIRECTORY,
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
