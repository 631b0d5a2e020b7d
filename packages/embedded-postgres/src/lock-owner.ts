import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { isAlive, processStartTime } from './process-identity.js';

/** What the owner of a data directory says about itself. */
export interface LockOwner {
  readonly pid: number;
  readonly host: string;
  /** ISO 8601, for people only. */
  readonly since: string;
  /** The kernel's word for when the process started: tells it from another that got its id later. */
  readonly startTime?: string | undefined;
  /** Which boot of the kernel, and which set of process ids (containers have their own). Linux only. */
  readonly boot?: string | undefined;
  readonly pidNamespace?: string | undefined;
  readonly released?: boolean | undefined;
}

/** The namespace that a Linux kernel starts with (PROC_PID_INIT_INO): processes outside of any container. */
const FIRST_PID_NAMESPACE = 'pid:[4026531836]';

export async function describeThisProcess(): Promise<LockOwner> {
  const [startTime, boot, pidNamespace] = await Promise.all([
    processStartTime(process.pid),
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

/** Undefined for what is no description of an owner. */
export function parseLockOwner(text: string | undefined): LockOwner | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return isLockOwner(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Does the owner run? Undefined where it can't be told from here. */
export async function isSameRunningProcess(owner: LockOwner, self: LockOwner): Promise<boolean | undefined> {
  if (
    owner.host === self.host &&
    owner.boot !== self.boot &&
    owner.pidNamespace === FIRST_PID_NAMESPACE &&
    self.pidNamespace === FIRST_PID_NAMESPACE
  ) {
    return false; // the machine was started again since
  }
  const seesSameProcesses =
    owner.boot === self.boot &&
    owner.pidNamespace === self.pidNamespace &&
    (owner.boot !== undefined || owner.host === self.host);
  if (!seesSameProcesses) return undefined;
  if (!(await isAlive(owner.pid))) return false;
  const startTime = await processStartTime(owner.pid);
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
