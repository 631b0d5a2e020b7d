import { lstat, readFile, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { getErrorCode, getErrorMessage, ignoreMissing } from './node-error.js';

/**
 * Creates missing library symlinks. An npm tarball cannot contain symbolic links, so the platform package lists them in
 * `native/pg-symlinks.json` and creates them in its install script. npm does not run that script if install
 * scripts are denied or ignored (`--ignore-scripts`), so the first start that finds a link missing creates it here.
 *
 * @returns number of links created
 */
export async function repairLibrarySymlinks(packageDirectory: string): Promise<number> {
  const list = await ignoreMissing(readFile(join(packageDirectory, 'native', 'pg-symlinks.json'), 'utf8'));
  let createdCount = 0;
  for (const { source, target } of parseLinks(list)) {
    const link = join(packageDirectory, target);
    if ((await ignoreMissing(lstat(link))) !== undefined) continue;
    try {
      // Both are in the same directory, so a link by file name stays valid if the whole package is moved.
      await symlink(basename(source), link);
      createdCount += 1;
    } catch (error) {
      if (getErrorCode(error) === 'EEXIST') continue; // another process has just created it
      throw new EmbeddedPostgresError(
        'embedded_postgres_not_installed',
        `The embedded PostgreSQL lacks ${link}, because the install script of its package did not run, and the link cannot be created now (${getErrorMessage(error)}). Run \`npm rebuild\` as the user that owns ${dirname(packageDirectory)}, then start again.`,
        { cause: error },
      );
    }
  }
  return createdCount;
}

function parseLinks(list: string | undefined): { source: string; target: string }[] {
  if (list === undefined) return []; // not needed on Windows
  const parsed: unknown = JSON.parse(list);
  if (!Array.isArray(parsed)) return [];
  return parsed.filter(
    (link): link is { source: string; target: string } =>
      typeof link?.source === 'string' &&
      typeof link?.target === 'string' &&
      dirname(link.source) === dirname(link.target),
  );
}
