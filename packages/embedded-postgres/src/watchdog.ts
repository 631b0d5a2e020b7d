import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PROGRAM_DIRECTORY, programEnvironment } from './run-program.js';

/** `read` ends with success on our farewell and with failure when the pipe breaks, that is, when we died without one. */
const SCRIPT = 'trap "" HUP INT TERM; read -r farewell || kill -INT "$1"';

export interface Watchdog {
  /** To be called after PostgreSQL has stopped. */
  dismiss(): Promise<void>;
}

const NO_WATCHDOG: Watchdog = { dismiss: () => Promise.resolve() };

/**
 * Stops PostgreSQL when this process dies without doing so (`kill -9`, out of memory): a shell of 1 MB in a session of
 * its own that waits on a pipe only we hold. The kernel closes the pipe whatever we die of.
 *
 * It comes on top of the recovery at the next start, which it doesn't replace: it can be killed too, Windows has none,
 * and the next start may come before PostgreSQL has gone. A supervisor between us and PostgreSQL would be one more
 * thing that must not fail; this one may.
 */
export function startWatchdog(postmasterPid: number): Watchdog {
  if (process.platform === 'win32') return NO_WATCHDOG;
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'countersign-postgres-watchdog', String(postmasterPid)], {
    cwd: PROGRAM_DIRECTORY,
    env: programEnvironment(),
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true, // a Ctrl-C on the terminal is not for it
  });
  const { stdin } = child;
  const gone = once(child, 'exit').catch(() => undefined);
  child.on('error', () => undefined);
  stdin.on('error', () => undefined); // it was killed by somebody
  child.unref();
  // The types hide that a pipe to a child is a socket, which would keep our process running.
  if ('unref' in stdin && typeof stdin.unref === 'function') stdin.unref();
  return {
    async dismiss() {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
      child.ref();
      stdin.end('stopped\n');
      await gone;
    },
  };
}
