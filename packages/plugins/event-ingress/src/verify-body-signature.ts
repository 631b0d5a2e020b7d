import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** `sha256=` and the digest in upper-case or lower-case hexadecimal. */
const SIGNATURE_PATTERN = /^sha256=([0-9a-fA-F]{64})$/;

/** Dummy key, so that an unknown source takes as long as a known one. */
const DUMMY_KEY = randomBytes(32);

/**
 * Compares a signature with the HMAC-SHA256 of the body under each secret (RFC 2104), in constant time.
 *
 * @param secrets empty for an unknown or disabled source
 * @param comparisonCount number of comparisons, at least `secrets.length`: the same for every source, so that the time
 * does not reveal whether a source exists or its secret is being rotated
 * @returns the digest in lower-case hexadecimal if the signature is valid
 */
export function verifyBodySignature(
  body: Buffer,
  header: string | undefined,
  secrets: readonly string[],
  comparisonCount: number,
): string | undefined {
  const digest = SIGNATURE_PATTERN.exec(header ?? '')?.[1]?.toLowerCase();
  const claimedDigest = digest === undefined ? DUMMY_KEY : Buffer.from(digest, 'hex');
  let isValid = false;
  for (let index = 0; index < comparisonCount; index += 1) {
    const secret = secrets[index];
    const expected = createHmac('sha256', secret ?? DUMMY_KEY)
      .update(body)
      .digest();
    const isEqual = timingSafeEqual(expected, claimedDigest);
    isValid = (isEqual && secret !== undefined) || isValid;
  }
  return isValid ? digest : undefined;
}
