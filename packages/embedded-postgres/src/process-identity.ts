import { readFile } from 'node:fs/promises';
import { getErrorCode } from './node-error.js';
import { runProgram } from './run-program.js';

/**
 * Returns whether a process with this id is running, including a process that we may not signal. On Linux,
 * returns `false` for a zombie, which no longer uses any resources.
 */
export async function isAlive(pid: number): Promise<boolean> {
  if (!isPidInUse(pid)) return false;
  const state = process.platform === 'linux' ? (await readStat(pid))?.state : undefined;
  return state !== 'Z' && state !== 'X';
}

/** Returns whether this id is in use, even if only by a zombie. */
export function isPidInUse(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return getErrorCode(error) === 'EPERM';
  }
}

/**
 * Returns a value that distinguishes two successive processes with the same id: the start time as reported by the
 * kernel. `undefined` if the system does not report it (Windows), or if there is no such process.
 */
export async function readProcessStartTime(pid: number): Promise<string | undefined> {
  if (process.platform === 'win32') return undefined;
  if (process.platform === 'linux') return (await readStat(pid))?.startTime;
  const { exitCode, output } = await runProgram('ps', ['-o', 'lstart=', '-p', String(pid)]).catch(() => ({
    exitCode: 1,
    output: '',
  }));
  return exitCode === 0 && output.trim() !== '' ? output.trim() : undefined;
}

/** Fields 3 and 22 of proc_pid_stat(5). The second field, the name, may contain spaces and parentheses. */
async function readStat(
  pid: number,
): Promise<{ state: string | undefined; startTime: string | undefined } | undefined> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0], startTime: fields[19] };
  } catch {
    return undefined;
  }
}
