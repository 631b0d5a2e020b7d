import { safeStorage } from 'electron';
import type { Keychain } from './token-vault.js';

/** Backends that keep their key in plain text, or that nobody knows. */
const UNSAFE: readonly string[] = ['basic_text', 'unknown'];

/**
 * The keychain of the operating system: Keychain, DPAPI, or on Linux the secret service or KWallet. Where Linux has none,
 * Chromium encrypts with a key that everybody knows, which counts as none.
 */
export const systemKeychain: Keychain = {
  isSafe: () =>
    safeStorage.isEncryptionAvailable() && !(process.platform === 'linux' && UNSAFE.includes(linuxBackend())),
  encrypt: (text) => safeStorage.encryptString(text),
  decrypt: (bytes) => safeStorage.decryptString(bytes),
};

function linuxBackend(): string {
  // Before Electron 25 it does not tell, but says that nothing is available where there is no key of a keychain.
  return typeof safeStorage.getSelectedStorageBackend === 'function'
    ? safeStorage.getSelectedStorageBackend()
    : 'told_by_availability';
}
