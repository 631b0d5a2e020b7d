import { randomBytes } from 'node:crypto';
import { link, readFile, readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDurably } from './durable-file.js';
import type { EmbeddedLog } from './embedded-log.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { describeCurrentProcess, isOwnerRunning, parseLockOwner, type LockOwner } from './lock-owner.js';
import { getErrorCode, ignoreMissing } from './node-error.js';
import { pollUntil } from './poll.js';

export interface DataDirectoryLock {
  release(): Promise<void>;
}

/**
 * Interval at which the owner updates the modification time of its lock file. This proves that it is alive to processes
 * that cannot look it up, for example in another container on the same volume.
 */
const HEARTBEAT_MS = 2_000;
/** Time without a heartbeat after which an owner that cannot be looked up is considered dead, in ms. */
const DEFAULT_SILENCE_MS = 10_000;
const MAX_LOCK_ATTEMPTS = 20;

/**
 * Makes this process the only owner of the data directory. If another process owns it, throws an error that describes
 * that process.
 *
 * Node.js has no file locks, so the file `owner-<n>.lock` with the highest n (the generation) records the owner. To
 * take over from a dead owner n, a process creates file n + 1, and only one process can succeed. The highest file is
 * never deleted (a release is written into it), so numbers are not reused, and a process that acted on stale data finds
 * a higher number and removes its own file.
 */
export async function lockDataDirectory(
  directory: string,
  log: EmbeddedLog,
  silenceMs = DEFAULT_SILENCE_MS,
): Promise<DataDirectoryLock> {
  const self = await describeCurrentProcess();
  for (let attempt = 0; attempt < MAX_LOCK_ATTEMPTS; attempt += 1) {
    const latest = Math.max(0, ...(await listGenerations(directory)));
    if (latest > 0) {
      const owner = parseLockOwner(await ignoreMissing(readFile(getLockPath(directory, latest), 'utf8')));
      if (owner?.released !== true && (await isLockHeld(directory, latest, owner, self, log, silenceMs)))
        throw createInUseError(directory, owner);
    }
    const ownGeneration = latest + 1;
    if (!(await createLockFile(directory, ownGeneration, self))) continue;
    const allGenerations = await listGenerations(directory);
    if (Math.max(...allGenerations) > ownGeneration) {
      await rm(getLockPath(directory, ownGeneration), { force: true });
      continue;
    }
    await Promise.all(
      allGenerations
        .filter((other) => other < ownGeneration)
        .map((other) => rm(getLockPath(directory, other), { force: true })),
    );
    return startHeartbeat(directory, ownGeneration, self);
  }
  throw createInUseError(directory, undefined);
}

function startHeartbeat(directory: string, generation: number, self: LockOwner): DataDirectoryLock {
  const path = getLockPath(directory, generation);
  const heartbeat = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => undefined); // the next heartbeat retries
  }, HEARTBEAT_MS);
  heartbeat.unref();
  return {
    async release() {
      clearInterval(heartbeat);
      await writeDurably(path, serializeOwner({ ...self, released: true }), { mode: 0o644 });
    },
  };
}

async function isLockHeld(
  directory: string,
  generation: number,
  owner: LockOwner | undefined,
  self: LockOwner,
  log: EmbeddedLog,
  silenceMs: number,
): Promise<boolean> {
  const isRunning = owner === undefined ? undefined : await isOwnerRunning(owner, self);
  if (isRunning !== undefined) return isRunning;
  log.info(
    { owner, waitMs: silenceMs },
    'checking whether the last owner of the data directory, on another machine or container, is still alive',
  );
  const readModifiedTime = async (): Promise<number | undefined> =>
    (await ignoreMissing(stat(getLockPath(directory, generation))))?.mtimeMs;
  const modifiedBefore = await readModifiedTime();
  return (
    (await pollUntil(silenceMs, 200, async () => ((await readModifiedTime()) === modifiedBefore ? undefined : true))) ??
    false
  );
}

/**
 * Creates the lock file and returns whether it did. A hard link atomically appears with its content, or fails if the
 * file exists.
 */
async function createLockFile(directory: string, generation: number, self: LockOwner): Promise<boolean> {
  const draftPath = join(directory, `owner-draft-${randomBytes(6).toString('hex')}`);
  await writeDurably(draftPath, serializeOwner(self), { mode: 0o644 });
  try {
    await link(draftPath, getLockPath(directory, generation));
    return true;
  } catch (error) {
    if (getErrorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draftPath, { force: true });
  }
}

async function listGenerations(directory: string): Promise<number[]> {
  return (await readdir(directory)).flatMap((name) => /^owner-(\d+)\.lock$/.exec(name)?.[1] ?? []).map(Number);
}

function getLockPath(directory: string, generation: number): string {
  return join(directory, `owner-${generation}.lock`);
}

function serializeOwner(owner: LockOwner): string {
  return `${JSON.stringify(owner)}\n`;
}

function createInUseError(directory: string, owner: LockOwner | undefined): EmbeddedPostgresError {
  const ownerDescription =
    owner === undefined ? 'another process' : `process ${owner.pid} on ${owner.host}, running since ${owner.since}`;
  return new EmbeddedPostgresError(
    'embedded_postgres_in_use',
    `The database in ${directory} is in use by ${ownerDescription}. Stop that process first, or configure a separate data directory for this one. To share one database among several servers, set Storage:Postgres:ConnectionString.`,
  );
}
