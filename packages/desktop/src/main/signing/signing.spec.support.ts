import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Keychain } from '../session/token-vault.js';

/**
 * Creates a keychain.
 *
 * @param key encryption key; a keychain with another key cannot decrypt the bytes
 * @param safe whether the keychain reports that it is safe
 */
export function createKeychain(key = 7, safe = true): Keychain {
  return {
    isSafe: () => safe,
    encrypt: (text) => Buffer.from([key, ...Buffer.from(text).map((byte) => byte ^ key)]),
    decrypt: (bytes) => {
      if (bytes[0] !== key) throw new Error('The bytes were encrypted with another key.');
      return Buffer.from(bytes.subarray(1).map((byte) => byte ^ key)).toString();
    },
  };
}

export const ACCOUNT = Object.freeze({ profileId: '01938f5a-7c1e-4b62-9d53-0c9a4f1b2e77', subject: 'ada' });
export const SERVER_ID = '01890a5d-ac96-774b-bcce-b302099a8057';

/** Returns the path of a file in a new temporary directory. `remove()` deletes the directory. */
export function createTemporaryFile(): { readonly file: string; remove(): void } {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-signing-'));
  return {
    file: join(directory, 'signing-keys.json'),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
