import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ignoreMissing } from './node-error.js';

export interface PostmasterPidFile {
  /** Negative in single-user mode. */
  readonly pid: number;
  readonly port: number | undefined;
  /** `starting`, `ready`, `stopping`, `standby`; `undefined` until the server has written its status. */
  readonly status: string | undefined;
}

export function getPostmasterPidPath(cluster: string): string {
  return join(cluster, 'postmaster.pid');
}

/** Reads the pid file of a running server (its lines are listed in PostgreSQL's `miscadmin.h`). */
export async function readPostmasterPidFile(cluster: string): Promise<PostmasterPidFile | undefined> {
  const text = await ignoreMissing(readFile(getPostmasterPidPath(cluster), 'utf8'));
  if (text === undefined) return undefined;
  const lines = text.split('\n').map((line) => line.trim());
  const pid = Number.parseInt(lines[0] ?? '', 10);
  if (!Number.isSafeInteger(pid) || pid === 0) return undefined;
  const port = Number.parseInt(lines[3] ?? '', 10);
  return { pid, port: Number.isSafeInteger(port) ? port : undefined, status: lines[7] === '' ? undefined : lines[7] };
}
