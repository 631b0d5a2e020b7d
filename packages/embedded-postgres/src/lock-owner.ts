import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { isAlive, readProcessStartTime } from './process-identity.js';

/** Owner of a data directory, as written by itself. */
export interface LockOwner {
  readonly pid: number;
  readonly host: string;
  /** ISO 8601, only for humans. */
  readonly since: string;
  /** Start time of the process as reported by the kernel: distinguishes it from a later process with the same id. */
  readonly startTime?: string | undefined;
  /** Boot of the kernel and namespace of process ids (containers have separate ones). Linux only. */
  readonly boot?: string | undefined;
  readonly pidNamespace?: string | undefined;
  readonly released?: boolean | undefined;
}

/** Initial namespace of a Linux kernel (PROC_PID_INIT_INO): processes outside of any container. */
const FIRST_PID_NAMESPACE = 'pid:[4026531836]';

export async function describeCurrentProcess(): Promise<LockOwner> {
  const [startTime, boot, pidNamespace] = await Promise.all([
    readProcessStartTime(process.pid),
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').then(
      (text) => text.trim(),
      () => undefined,
    ),
    readlink('/proc/self/ns/pid').catch(() => undefined),
  ]);
  return {
    pid: process.pid,
    host: hostname(),
    since: new Date(Date.now() - process.uptime() * 1000).toISOString(),
    startTime,
    boot,
    pidNamespace,
  };
}

/** Parses an owner; `undefined` if the text does not describe one. */
export function parseLockOwner(text: string | undefined): LockOwner | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return isLockOwner(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns whether the owner is running; `undefined` if that cannot be determined from here. */
export async function isSameRunningProcess(owner: LockOwner, self: LockOwner): Promise<boolean | undefined> {
  if (
    owner.host === self.host &&
    owner.boot !== self.boot &&
    owner.pidNamespace === FIRST_PID_NAMESPACE &&
    self.pidNamespace === FIRST_PID_NAMESPACE
  ) {
    return false; // the machine has restarted since
  }
  const sharesProcessNamespace =
    owner.boot === self.boot &&
    owner.pidNamespace === self.pidNamespace &&
    (owner.boot !== undefined || owner.host === self.host);
  if (!sharesProcessNamespace) return undefined;
  if (!(await isAlive(owner.pid))) return false;
  const startTime = await readProcessStartTime(owner.pid);
  return startTime === undefined || owner.startTime === undefined ? undefined : startTime === owner.startTime;
}

function isLockOwner(value: unknown): value is LockOwner {
  return (
    typeof value === 'object' &&
    value !== null &&
    'pid' in value &&
    Number.isSafeInteger(value.pid) &&
    'host' in value &&
    typeof value.host === 'string' &&
    'since' in value &&
    typeof value.since === 'string'
  );
}
