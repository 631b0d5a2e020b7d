import { mkdtemp, readdir, realpath, rm, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const DIRECTORY_PREFIX = 'countersign-test-postgres-';
/**
 * A running server touches its lock file every other second; a directory without changes for this long belongs to a
 * killed run.
 */
const ABANDONED_AFTER_MS = 10 * 60 * 1000;

/**
 * Linux's file system in memory, where creating and removing the hundreds of files of each test database takes a
 * fraction of the time.
 */
const MEMORY_DIRECTORY = '/dev/shm';
/** Several times what a whole run needs: max_wal_size and the concurrent databases. Containers often have 64 MB. */
const MIN_FREE_BYTES = 4 * 1024 ** 3;

/**
 * Creates a directory for the PostgreSQL that tests share: in memory if there is space, otherwise among the temporary
 * files. No test covers a power failure, the only event that data in memory does not survive. Tests of PostgreSQL's
 * files use a separate server on disk.
 */
export async function makeTestDirectory(): Promise<string> {
  const parents = await Promise.all([
    realpath(tmpdir()),
    ...((await hasRoom(MEMORY_DIRECTORY)) ? [MEMORY_DIRECTORY] : []),
  ]);
  for (const parent of new Set([...parents, MEMORY_DIRECTORY])) await removeAbandonedDirectories(parent);
  return mkdtemp(join(parents.at(-1) ?? tmpdir(), DIRECTORY_PREFIX));
}

async function hasRoom(directory: string): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(directory);
    return process.platform === 'linux' && Math.min(bavail * bsize, process.availableMemory()) >= MIN_FREE_BYTES;
  } catch {
    return false;
  }
}

async function removeAbandonedDirectories(parent: string): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    if (!name.startsWith(DIRECTORY_PREFIX)) continue;
    const directory = join(parent, name);
    try {
      // A running server keeps touching its lock file; one that is starting has only the directory.
      const times = await Promise.all(
        ['.', ...(await readdir(directory))].map(async (entry) => (await stat(join(directory, entry))).mtimeMs),
      );
      if (Math.max(...times) < Date.now() - ABANDONED_AFTER_MS) await rm(directory, { recursive: true, force: true });
    } catch {
      // another user's directory, or another process removes it
    }
  }
}
