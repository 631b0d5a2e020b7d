import { mkdtemp, readdir, realpath, rm, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const DIRECTORY_PREFIX = 'countersign-test-postgres-';
/**
 * Age of the last change after which a directory belongs to a killed test run. A running server touches its lock file
 * every other second.
 */
const ABANDONED_AFTER_MS = 10 * 60 * 1000;

/**
 * In-memory file system of Linux. Creating and removing the hundreds of files of each test database takes only a
 * fraction of the time there.
 */
const MEMORY_DIRECTORY = '/dev/shm';
/**
 * Required free space: several times the need of a whole test run (max_wal_size and the concurrent databases). In
 * containers, `/dev/shm` often has only 64 MB.
 */
const MIN_FREE_BYTES = 4 * 1024 ** 3;

/**
 * Creates a directory for the PostgreSQL that tests share: in memory if there is enough space, otherwise in the
 * system's temporary directory. No test covers a power failure, the only event that data in memory does not survive.
 * Tests of PostgreSQL's files use a separate server on disk.
 */
export async function makeTestDirectory(): Promise<string> {
  const parents = await Promise.all([
    realpath(tmpdir()),
    ...((await hasEnoughSpace(MEMORY_DIRECTORY)) ? [MEMORY_DIRECTORY] : []),
  ]);
  for (const parent of new Set([...parents, MEMORY_DIRECTORY])) await removeAbandonedDirectories(parent);
  return mkdtemp(join(parents.at(-1) ?? tmpdir(), DIRECTORY_PREFIX));
}

async function hasEnoughSpace(directory: string): Promise<boolean> {
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
      // A running server keeps touching its lock file; a server that is starting may not have created any file yet.
      const times = await Promise.all(
        ['.', ...(await readdir(directory))].map(async (entry) => (await stat(join(directory, entry))).mtimeMs),
      );
      if (Math.max(...times) < Date.now() - ABANDONED_AFTER_MS) await rm(directory, { recursive: true, force: true });
    } catch {
      // another user's directory, or another process removes it
    }
  }
}
