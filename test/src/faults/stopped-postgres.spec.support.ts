import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns all processes of the PostgreSQL in a data directory, its postmaster first. Linux only. */
export async function postgresProcesses(dataDirectory: string): Promise<number[]> {
  const [file] = (await readdir(dataDirectory, { recursive: true })).filter((name) =>
    /(^|\/)postmaster\.pid$/.test(name),
  );
  if (file === undefined) throw new Error(`No PostgreSQL is running in ${dataDirectory}.`);
  const postmaster = Number.parseInt(await readFile(join(dataDirectory, file), 'utf8'), 10);
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = await Promise.all(pids.map(parentOf));
  return [postmaster, ...pids.filter((_, index) => parents[index] === postmaster)];
}

/** proc_pid_stat(5): the name may hold blanks and parentheses. */
async function parentOf(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return stat === undefined ? undefined : Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

/** Stops or continues all processes. No new process can start once the postmaster is stopped. */
export async function signalPostgres(dataDirectory: string, signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
  const [postmaster = 0] = await postgresProcesses(dataDirectory);
  process.kill(postmaster, signal);
  for (const pid of await postgresProcesses(dataDirectory)) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}
