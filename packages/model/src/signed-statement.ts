import { createPublicKey, verify } from 'node:crypto';
import type { SignedStatement } from './read-signed-statement.js';

export * from './read-signed-statement.js';

/**
 * Returns whether the signature was made with this key.
 *
 * @param publicKey the 32 bytes of the key in base64url
 */
export function isSignedBy({ signedBytes, signature }: SignedStatement, publicKey: string): boolean {
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' });
  return verify(null, signedBytes, key, signature);
}
