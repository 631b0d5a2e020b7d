import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns all processes of the PostgreSQL in a data directory, its postmaster first. Linux only. */
export async function listPostgresPids(dataDirectory: string): Promise<number[]> {
  const [file] = (await readdir(dataDirectory, { recursive: true })).filter((name) =>
    /(^|\/)postmaster\.pid$/.test(name),
  );
  if (file === undefined) throw new Error(`No PostgreSQL is running in ${dataDirectory}.`);
  const postmaster = Number.parseInt(await readFile(join(dataDirectory, file), 'utf8'), 10);
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = await Promise.all(pids.map(readParentPid));
  return [postmaster, ...pids.filter((_, index) => parents[index] === postmaster)];
}

/** proc_pid_stat(5): the name may hold blanks and parentheses. */
async function readParentPid(pid: number): Promise<number | undefined> {
  const processStat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return processStat === undefined
    ? undefined
    : Number(processStat.slice(processStat.lastIndexOf(')') + 2).split(' ')[1]);
}

/** Stops or continues all processes. No new process can start once the postmaster is stopped. */
export async function signalPostgres(dataDirectory: string, signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
  const [postmaster = 0] = await listPostgresPids(dataDirectory);
  process.kill(postmaster, signal);
  for (const pid of await listPostgresPids(dataDirectory)) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}
