import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Makes names that were added to or renamed in a directory survive a power failure. */
export async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return; // directories can't be opened there; NTFS logs its names
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes a directory, and those above it, so that they survive a power failure. */
export async function makeDirectory(directory: string): Promise<void> {
  const first = await mkdir(directory, { recursive: true, mode: 0o700 });
  if (first === undefined) {
    // Someone else may have made it this moment, and may not have synced it yet.
    await syncDirectory(dirname(directory));
    return;
  }
  for (let made = directory; made !== dirname(first); made = dirname(made)) await syncDirectory(dirname(made));
}
