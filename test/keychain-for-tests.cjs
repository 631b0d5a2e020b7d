'use strict';
// In the place of a keychain, where tests run that has none: encrypts by a key that everybody knows. Loaded before the
// application.
const { createCipheriv, createDecipheriv, randomBytes } = require('node:crypto');
const { safeStorage } = require('electron');

const KEY = Buffer.alloc(32, 7);

safeStorage.isEncryptionAvailable = () => true;
safeStorage.getSelectedStorageBackend = () => 'gnome_libsecret';
safeStorage.encryptString = (text) => {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', KEY, iv);
  return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
};
safeStorage.decryptString = (bytes) => {
  const decipher = createDecipheriv('aes-256-gcm', KEY, bytes.subarray(0, 12));
  decipher.setAuthTag(bytes.subarray(-16));
  return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('utf8');
};
