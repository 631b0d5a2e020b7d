import { readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { PostgresUser } from './unprivileged-user.js';

/**
 * Returns the outermost directory of `path` (including `path` itself) that `user` cannot enter according to the mode
 * bits. Access control lists are ignored, so the result errs on the safe side.
 */
export async function findInaccessibleDirectory(path: string, user: PostgresUser): Promise<string | undefined> {
  const directories: string[] = [];
  for (let current = await realpath(path); ; current = dirname(current)) {
    directories.unshift(current);
    if (dirname(current) === current) break;
  }
  for (const directory of directories) {
    if (!(await hasPermission(directory, user, 0o1))) return directory;
  }
  return undefined;
}

/** Returns whether `user` can read and enter the whole tree. */
export async function canReadTree(directory: string, user: PostgresUser): Promise<boolean> {
  if (!(await hasPermission(directory, user, 0o5))) return false;
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (
      entry.isDirectory() ? !(await canReadTree(path, user)) : entry.isFile() && !(await hasPermission(path, user, 0o4))
    )
      return false;
  }
  return true;
}

async function hasPermission(path: string, user: PostgresUser, bits: number): Promise<boolean> {
  const { uid, gid, mode } = await stat(path);
  const shift = uid === user.uid ? 6 : gid === user.gid ? 3 : 0;
  return ((mode >> shift) & bits) === bits;
}
