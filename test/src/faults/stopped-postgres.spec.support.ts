import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns the ids of all processes of the PostgreSQL server in a data directory, the postmaster first. Linux only. */
export async function listPostgresPids(dataDirectory: string): Promise<number[]> {
  const [pidFile] = (await readdir(dataDirectory, { recursive: true })).filter((name) =>
    /(^|\/)postmaster\.pid$/.test(name),
  );
  if (pidFile === undefined) throw new Error(`No PostgreSQL is running in ${dataDirectory}.`);
  const postmasterPid = Number.parseInt(await readFile(join(dataDirectory, pidFile), 'utf8'), 10);
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const parentPids = await Promise.all(pids.map(readParentPid));
  return [postmasterPid, ...pids.filter((_, index) => parentPids[index] === postmasterPid)];
}

/**
 * Returns the parent of a process. In its stat file, the name of the process may contain spaces and parentheses
 * (proc_pid_stat(5)).
 */
async function readParentPid(pid: number): Promise<number | undefined> {
  const processStat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return processStat === undefined
    ? undefined
    : Number(processStat.slice(processStat.lastIndexOf(')') + 2).split(' ')[1]);
}

/** Stops or continues all processes. No new process can start once the postmaster is stopped. */
export async function signalPostgres(dataDirectory: string, signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
  const [postmasterPid = 0] = await listPostgresPids(dataDirectory);
  process.kill(postmasterPid, signal);
  for (const pid of await listPostgresPids(dataDirectory)) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}
