import { readdirSync, readFileSync } from 'node:fs';

/** `/proc` counts in ticks of 1/100 s on every Linux (`USER_HZ`). */
const MS_PER_TICK = 10;

interface Times {
  readonly parent: number;
  readonly own: number;
  /** CPU of children that have ended. */
  readonly ended: number;
}

/** Returns the CPU time of a process with all its threads, in ms; `undefined` without `/proc`. */
export function cpuOfProcess(pid: number): number | undefined {
  return timesOf(String(pid))?.own;
}

/** Returns the CPU time of a process and its children, including ended ones, in ms. */
export function cpuOfFamily(pid: number): number | undefined {
  const head = timesOf(String(pid));
  if (head === undefined) return undefined;
  let sum = head.own + head.ended;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const times = timesOf(name);
    if (times?.parent === pid) sum += times.own + times.ended;
  }
  return sum;
}

export function parentOf(pid: number): number | undefined {
  return timesOf(String(pid))?.parent;
}

/** proc_pid_stat(5); the program name is in parentheses and may contain anything. */
function timesOf(pid: string): Times | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined; // The process has ended.
  }
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const field = (number: number): number => Number(fields[number - 3]);
  return { parent: field(4), own: (field(14) + field(15)) * MS_PER_TICK, ended: (field(16) + field(17)) * MS_PER_TICK };
}
