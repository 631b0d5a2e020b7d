import { readFileSync } from 'node:fs';

/**
 * Whether a process runs. Whoever has ended is a zombie until the first process of the machine hears of it, which does not
 * always listen (a container without an init).
 */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/^.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
