import { safeStorage } from 'electron';
import type { Keychain } from './token-vault.js';

/** Backends that encrypt with a well-known key, or are unknown. */
const UNSAFE_BACKENDS: readonly string[] = ['basic_text', 'unknown'];

/**
 * The keychain of the operating system: Keychain, DPAPI, or on Linux the secret service or KWallet. Without one on
 * Linux, Chromium encrypts with a well-known key, which counts as no keychain.
 */
export const systemKeychain: Keychain = {
  isSafe: () =>
    safeStorage.isEncryptionAvailable() &&
    !(process.platform === 'linux' && UNSAFE_BACKENDS.includes(getLinuxBackend())),
  encrypt: (text) => safeStorage.encryptString(text),
  decrypt: (bytes) => safeStorage.decryptString(bytes),
};

function getLinuxBackend(): string {
  // Before Electron 25, the backend is not reported, but encryption is unavailable without a keychain.
  return typeof safeStorage.getSelectedStorageBackend === 'function'
    ? safeStorage.getSelectedStorageBackend()
    : 'not_reported';
}
