// The user's cache directory, which all checkouts share.
import { renameSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Returns the path of an entry of the cache. @param {string} name */
export function getCachePath(name) {
  return join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'countersign', name);
}

/** Moves a complete directory into the cache. @param {string} directory @param {string} cachePath */
export function moveIntoCache(directory, cachePath) {
  try {
    renameSync(directory, cachePath);
  } catch (error) {
    // Another process has created the entry in the meantime.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  }
}
