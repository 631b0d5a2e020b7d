import { readFileSync } from 'node:fs';

/**
 * Returns whether a process is running. An ended process stays a zombie until its parent or the init process reaps it,
 * which a container without an init may never do.
 */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/^.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
