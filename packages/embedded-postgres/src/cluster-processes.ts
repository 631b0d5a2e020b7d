import { readFile, readdir, stat } from 'node:fs/promises';
import { runProgram } from './run-program.js';

/**
 * Returns whether a process is a PostgreSQL server of this cluster and not another process that reuses its id. Checks
 * the working directory on Linux, the command line on macOS, and only the name of the program on Windows.
 */
export async function isServerProcess(pid: number, cluster: string): Promise<boolean> {
  if (process.platform === 'linux') return isPostgresInDirectory(pid, await stat(cluster));
  const [program, args] =
    process.platform === 'win32'
      ? ['tasklist', ['/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH']]
      : ['ps', ['-ww', '-o', 'command=', '-p', String(pid)]];
  const { output } = await runProgram(program, args).catch(() => ({ output: '' }));
  return output.includes('postgres') && (process.platform === 'win32' || output.includes(cluster));
}

/**
 * Returns the ids of all PostgreSQL processes of this cluster, including the children of a killed server. Returns an
 * empty list on systems other than Linux, which rely on PostgreSQL's own check of its shared memory.
 */
export async function findServerProcesses(cluster: string): Promise<number[]> {
  if (process.platform !== 'linux') return [];
  const directory = await stat(cluster);
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const isServer = await Promise.all(pids.map((pid) => isPostgresInDirectory(pid, directory)));
  return pids.filter((_, index) => isServer[index]);
}

async function isPostgresInDirectory(pid: number, directory: { dev: number; ino: number }): Promise<boolean> {
  try {
    if ((await readFile(`/proc/${pid}/comm`, 'utf8')).trim() !== 'postgres') return false;
    const { dev, ino } = await stat(`/proc/${pid}/cwd`);
    return dev === directory.dev && ino === directory.ino;
  } catch {
    return false; // the process has ended, or belongs to another user
  }
}
