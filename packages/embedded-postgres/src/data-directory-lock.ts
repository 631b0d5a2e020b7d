import { randomBytes } from 'node:crypto';
import { link, readFile, readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDurably } from './durable-file.js';
import type { EmbeddedLog } from './embedded-log.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { describeThisProcess, isSameRunningProcess, parseLockOwner, type LockOwner } from './lock-owner.js';
import { errorCode, unlessMissing } from './node-error.js';
import { poll } from './poll.js';

export interface DataDirectoryLock {
  release(): Promise<void>;
}

/**
 * An owner that cannot be looked up (another container on the same volume) proves that it is alive by the time of its
 * file.
 */
const HEARTBEAT_MS = 2_000;
const SILENCE_MS = 10_000;
const ATTEMPTS = 20;

/**
 * Makes this process the only owner of the data directory, or reports the current owner.
 *
 * Node.js has no file locks, so ownership is the file `owner-<n>.lock` with the highest n. To take over from a dead
 * owner n, a process creates n + 1, which only one can do. The highest file is never deleted (a release is written into
 * it), so numbers are not reused, and a process that acted on stale data then finds a higher one and steps back.
 */
export async function lockDataDirectory(
  directory: string,
  log: EmbeddedLog,
  silenceMs = SILENCE_MS,
): Promise<DataDirectoryLock> {
  const self = await describeThisProcess();
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const latest = Math.max(0, ...(await generations(directory)));
    if (latest > 0) {
      const owner = parseLockOwner(await unlessMissing(readFile(lockPath(directory, latest), 'utf8')));
      if (owner?.released !== true && (await isHeld(directory, latest, owner, self, log, silenceMs)))
        throw inUse(directory, owner);
    }
    const mine = latest + 1;
    if (!(await create(directory, mine, self))) continue;
    const all = await generations(directory);
    if (Math.max(...all) > mine) {
      await rm(lockPath(directory, mine), { force: true });
      continue;
    }
    await Promise.all(
      all.filter((other) => other < mine).map((other) => rm(lockPath(directory, other), { force: true })),
    );
    return hold(directory, mine, self);
  }
  throw inUse(directory, undefined);
}

function hold(directory: string, generation: number, self: LockOwner): DataDirectoryLock {
  const path = lockPath(directory, generation);
  const heartbeat = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => undefined); // the next heartbeat retries
  }, HEARTBEAT_MS);
  heartbeat.unref();
  return {
    async release() {
      clearInterval(heartbeat);
      await writeDurably(path, serialise({ ...self, released: true }), { mode: 0o644 });
    },
  };
}

async function isHeld(
  directory: string,
  generation: number,
  owner: LockOwner | undefined,
  self: LockOwner,
  log: EmbeddedLog,
  silenceMs: number,
): Promise<boolean> {
  const known = owner === undefined ? undefined : await isSameRunningProcess(owner, self);
  if (known !== undefined) return known;
  log.info(
    { owner, waitMs: silenceMs },
    'checking whether the last owner of the data directory, on another machine or container, is still alive',
  );
  const modified = async (): Promise<number | undefined> =>
    (await unlessMissing(stat(lockPath(directory, generation))))?.mtimeMs;
  const before = await modified();
  return (await poll(silenceMs, 200, async () => ((await modified()) === before ? undefined : true))) ?? false;
}

/** A link appears with its content and fails if the name is taken, both atomically. */
async function create(directory: string, generation: number, self: LockOwner): Promise<boolean> {
  const draft = join(directory, `owner-draft-${randomBytes(6).toString('hex')}`);
  await writeDurably(draft, serialise(self), { mode: 0o644 });
  try {
    await link(draft, lockPath(directory, generation));
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function generations(directory: string): Promise<number[]> {
  return (await readdir(directory)).flatMap((name) => /^owner-(\d+)\.lock$/.exec(name)?.[1] ?? []).map(Number);
}

function lockPath(directory: string, generation: number): string {
  return join(directory, `owner-${generation}.lock`);
}

function serialise(owner: LockOwner): string {
  return `${JSON.stringify(owner)}\n`;
}

function inUse(directory: string, owner: LockOwner | undefined): EmbeddedPostgresError {
  const who =
    owner === undefined ? 'another process' : `process ${owner.pid} on ${owner.host}, running since ${owner.since}`;
  return new EmbeddedPostgresError(
    'embedded_postgres_in_use',
    `The database in ${directory} is in use by ${who}. Stop that process first, or configure a separate data directory for this one. To share one database among several servers, set Storage:Postgres:ConnectionString.`,
  );
}
