import { open, stat } from 'node:fs/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { findInaccessibleDirectory } from './directory-permissions.js';
import type { PostgresUser } from './unprivileged-user.js';

/** Path through which PostgreSQL can access a directory, and the descriptors that it must inherit for that. */
export interface DirectoryAccess {
  readonly path: string;
  readonly descriptors: readonly number[];
  /** Closes the descriptors. Must be called as soon as the program has started. */
  close(): Promise<void>;
}

/**
 * Opens a directory for PostgreSQL. If we run as root, PostgreSQL runs as an unprivileged user, who often cannot
 * traverse a parent of the data directory: `/root` has mode 700. Making the parents accessible would weaken the
 * security of the machine, and another location would surprise anyone who backs up or deletes the data directory. On
 * Linux, the directory is therefore passed as an open descriptor: `/proc/self/fd/3` refers directly to it, so the
 * permissions of its parents do not matter. PostgreSQL enters its data directory once, forks without exec and uses
 * relative names, so the descriptor is valid for its lifetime.
 */
export async function openDirectoryAccess(directory: string, user: PostgresUser | undefined): Promise<DirectoryAccess> {
  const inaccessibleDirectory = user === undefined ? undefined : await findInaccessibleDirectory(directory, user);
  if (user === undefined || inaccessibleDirectory === undefined)
    return { path: directory, descriptors: [], close: () => Promise.resolve() };
  if (
    process.platform !== 'linux' ||
    !(await stat('/proc/self/fd').then(
      () => true,
      () => false,
    ))
  ) {
    throw new EmbeddedPostgresError(
      'embedded_postgres_failed',
      `PostgreSQL runs as ${user.name}, not as root, and this user cannot enter ${inaccessibleDirectory}, which contains the data directory ${directory}. Choose another data directory, let other users enter (chmod o+x ${inaccessibleDirectory}), or start Countersign as a normal user.`,
    );
  }
  const handle = await open(directory, 'r');
  return { path: '/proc/self/fd/3', descriptors: [handle.fd], close: () => handle.close() };
}
