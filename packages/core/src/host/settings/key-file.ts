import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StartupError } from '@countersign/model';
import { parseEncryptionKey, type EncryptionKey } from './encryption-key.js';

/** Returns the path of the key file that is generated if no key is configured. */
export function getKeyFilePath(dataDirectory: string): string {
  return join(dataDirectory, 'settings.key');
}

/**
 * Reads the key file.
 *
 * @returns the key; `undefined` if the file does not exist
 * @throws {StartupError} `settings_key_unreadable` if the file cannot be read or contains no key
 */
export async function readKeyFile(file: string): Promise<EncryptionKey | undefined> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    if (hasCode(cause, 'ENOENT')) return undefined;
    throw new StartupError(
      'settings_key_unreadable',
      `The key of the saved secrets in ${file} cannot be read.`,
      {},
      { cause },
    );
  });
  if (text === undefined) return undefined;
  const key = parseEncryptionKey(text);
  if (key === undefined)
    throw new StartupError(
      'settings_key_unreadable',
      `${file} contains no key (32 bytes in Base64). Restore it from a backup; without it, the saved secrets are lost.`,
    );
  return key;
}

/**
 * Generates a key file. Writes a temporary file and links it into place, so that no process reads a partial key. If
 * several processes do so, all use the key of the first one.
 */
export async function createKeyFile(file: string): Promise<EncryptionKey> {
  await mkdir(dirname(file), { recursive: true });
  const temporaryFile = `${file}.${process.pid}.${randomBytes(6).toString('hex')}`;
  const handle = await open(temporaryFile, 'wx', 0o600);
  try {
    await handle.writeFile(`${randomBytes(32).toString('base64')}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  try {
    await link(temporaryFile, file);
    await syncDirectory(dirname(file));
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    await unlink(temporaryFile);
  }
  const key = await readKeyFile(file);
  if (key === undefined)
    throw new StartupError('settings_key_unreadable', `${file} was removed before it could be read.`);
  return key;
}

/** Syncs a directory, so that no secret is encrypted with a key that a power failure could still lose. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r').catch(() => undefined);
  try {
    // Not every system supports syncing a directory.
    await handle?.sync().catch(() => undefined);
  } finally {
    await handle?.close();
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
