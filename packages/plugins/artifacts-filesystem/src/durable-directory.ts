import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Syncs a directory, so that files that were added or renamed in it survive a power failure. */
export async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return; // Windows cannot open directories; NTFS journals its metadata
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Creates a directory and its parents so that they survive a power failure. */
export async function createDirectory(directory: string): Promise<void> {
  const firstCreated = await mkdir(directory, { recursive: true, mode: 0o700 });
  if (firstCreated === undefined) {
    // Another process may have just created it without syncing it yet.
    await syncDirectory(dirname(directory));
    return;
  }
  for (let current = directory; current !== dirname(firstCreated); current = dirname(current))
    await syncDirectory(dirname(current));
}
