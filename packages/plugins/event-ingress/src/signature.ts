import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** `sha256=` and the digest in either case. */
const SIGNATURE = /^sha256=([0-9a-fA-F]{64})$/;

/** Dummy key, so that an unknown source takes as long as a known one. */
const DUMMY_KEY = randomBytes(32);

/**
 * Compares a signature with the HMAC-SHA256 of the body under each secret (RFC 2104), in constant time.
 *
 * @param secrets empty for an unknown or disabled source
 * @param comparisons number of comparisons, at least `secrets.length`: the same for every source, so that the time
 * does not reveal whether a source exists or its secret is being rotated
 * @returns the digest in lower-case hexadecimal if the signature is valid
 */
export function verifySignature(
  body: Buffer,
  header: string | undefined,
  secrets: readonly string[],
  comparisons: number,
): string | undefined {
  const digest = SIGNATURE.exec(header ?? '')?.[1]?.toLowerCase();
  const claimed = digest === undefined ? DUMMY_KEY : Buffer.from(digest, 'hex');
  let holds = false;
  for (let index = 0; index < comparisons; index += 1) {
    const secret = secrets[index];
    const made = createHmac('sha256', secret ?? DUMMY_KEY)
      .update(body)
      .digest();
    const same = timingSafeEqual(made, claimed);
    holds = (same && secret !== undefined) || holds;
  }
  return holds ? digest : undefined;
}
