import type { EvidenceSignature } from '@countersign/contract/evidence';

/**
 * Verifies an Ed25519 signature with the Web Crypto API.
 *
 * @returns `undefined` if the browser cannot: Chromium before version 137, or a page without HTTPS
 */
export async function verifyEd25519({
  publicKey,
  signature,
  signedBytes,
}: EvidenceSignature): Promise<boolean | undefined> {
  // Insecure contexts have no `subtle`.
  const subtle = crypto.subtle as SubtleCrypto | undefined;
  if (subtle === undefined) return undefined;
  try {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: publicKey };
    const key = await subtle.importKey('jwk', jwk, { name: 'Ed25519' }, false, ['verify']);
    return await subtle.verify({ name: 'Ed25519' }, key, signature, signedBytes);
  } catch (error) {
    return error instanceof Error && error.name === 'NotSupportedError' ? undefined : false;
  }
}
