import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { isAlive, readProcessStartTime } from './process-identity.js';

/** Owner of a data directory, as recorded in its lock file. */
export interface LockOwner {
  readonly pid: number;
  readonly host: string;
  /** Start time of the process in ISO 8601, only for error messages and logs. */
  readonly since: string;
  /** Start time of the process as reported by the kernel: distinguishes it from a later process with the same id. */
  readonly startTime?: string | undefined;
  /** Boot id of the kernel. Linux only. */
  readonly boot?: string | undefined;
  /** Namespace of process ids. Each container has a separate namespace. Linux only. */
  readonly pidNamespace?: string | undefined;
  readonly released?: boolean | undefined;
}

/**
 * Initial process id namespace of a Linux kernel (PROC_PID_INIT_INO), which contains processes outside of any
 * container.
 */
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

/** Parses the content of a lock file. Returns `undefined` if it does not describe an owner. */
export function parseLockOwner(content: string | undefined): LockOwner | undefined {
  try {
    const value: unknown = JSON.parse(content ?? '');
    return isLockOwner(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns whether the owner is running; `undefined` if that cannot be determined from here. */
export async function isOwnerRunning(owner: LockOwner, self: LockOwner): Promise<boolean | undefined> {
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
