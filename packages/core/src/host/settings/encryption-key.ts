import { hkdfSync } from 'node:crypto';
import { secret } from '../secret.js';

const KEY_BYTES = 32;

/** A key that encrypts secrets. Its id is stored with each encrypted text. */
export interface EncryptionKey {
  readonly id: string;
  readonly bytes: Buffer;
}

/**
 * Parses 32 bytes in Base64 (also the URL variant) or hex.
 *
 * @returns the key; `undefined` if the text is invalid
 */
export function parseEncryptionKey(text: string): EncryptionKey | undefined {
  const trimmed = text.trim();
  const raw = /^[0-9a-f]{64}$/i.test(trimmed)
    ? Buffer.from(trimmed, 'hex')
    : /^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed)
      ? Buffer.from(trimmed, 'base64')
      : undefined;
  if (raw?.length !== KEY_BYTES) return undefined;
  // The id is public. Both values are derived, so that the id reveals nothing about the key and the key is used for
  // nothing else.
  return {
    id: derive(raw, 'countersign settings key id', 8).toString('hex'),
    bytes: derive(raw, 'countersign settings v1', KEY_BYTES),
  };
}

/** Schema of an encryption key in the configuration; empty by default. */
export const encryptionKey = () =>
  secret().refine(
    (key) => !key.isSet || parseEncryptionKey(key.reveal()) !== undefined,
    'Expected 32 bytes in Base64, as openssl rand -base64 32 prints them',
  );

function derive(raw: Buffer, purpose: string, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', raw, '', purpose, length));
}
