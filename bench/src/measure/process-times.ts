import { readdirSync, readFileSync } from 'node:fs';

/** `/proc` counts in ticks of 1/100 s on every Linux (`USER_HZ`). */
const MS_PER_TICK = 10;

interface Times {
  readonly parentPid: number;
  readonly ownMs: number;
  /** CPU of children that have ended. */
  readonly endedChildrenMs: number;
}

/** Returns the CPU time of a process with all its threads, in ms; `undefined` without `/proc`. */
export function readProcessCpuTime(pid: number): number | undefined {
  return readTimes(String(pid))?.ownMs;
}

/** Returns the CPU time of a process and its direct children, including children that have ended, in ms. */
export function readProcessTreeCpuTime(pid: number): number | undefined {
  const parent = readTimes(String(pid));
  if (parent === undefined) return undefined;
  let sum = parent.ownMs + parent.endedChildrenMs;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const times = readTimes(name);
    if (times?.parentPid === pid) sum += times.ownMs + times.endedChildrenMs;
  }
  return sum;
}

export function readParentPid(pid: number): number | undefined {
  return readTimes(String(pid))?.parentPid;
}

/** Reads `/proc/PID/stat`, see proc_pid_stat(5). The program name is in parentheses and may contain any character. */
function readTimes(pid: string): Times | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined; // The process has ended, or the system has no `/proc`.
  }
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const field = (number: number): number => Number(fields[number - 3]);
  return {
    parentPid: field(4),
    ownMs: (field(14) + field(15)) * MS_PER_TICK,
    endedChildrenMs: (field(16) + field(17)) * MS_PER_TICK,
  };
}
