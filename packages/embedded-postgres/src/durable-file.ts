import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface DurableFileOptions {
  readonly mode: number;
  readonly owner?: { readonly uid: number; readonly gid: number };
}

/**
 * Writes a file atomically: after a crash it exists completely or not at all. It is created exclusively under a new
 * name (so that a planted link is not followed) and then renamed.
 */
export async function writeDurably(path: string, content: string, { mode, owner }: DurableFileOptions): Promise<void> {
  const temporaryPath = `${path}.${randomBytes(6).toString('hex')}`;
  const handle = await open(temporaryPath, 'wx', mode);
  try {
    await handle.writeFile(content);
    if (owner !== undefined) await handle.chown(owner.uid, owner.gid);
    await handle.sync();
    await handle.close();
    await rename(temporaryPath, path);
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(temporaryPath, { force: true });
    throw error;
  }
  await syncDirectory(dirname(path));
}

/** Makes the creation, renaming and removal of files in a directory survive a power failure. */
export async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return; // directories cannot be opened there; NTFS journals these changes
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
