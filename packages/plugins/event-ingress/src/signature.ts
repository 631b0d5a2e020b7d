import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** `sha256=` and the digest, in either case. */
const SIGNATURE = /^sha256=([0-9a-fA-F]{64})$/;

/** Signs what nobody signs, so that a source that is unknown takes as long as one that is not. */
const NOBODYS = randomBytes(32);

/**
 * Compares a signature with those that some secrets make of a body (HMAC-SHA256, RFC 2104), each in constant time.
 *
 * @param secrets none for a source that is unknown or disabled
 * @param comparisons how many are made, at least as many as there are secrets: the same for all, so that the time tells
 *   nobody whether a source exists, or whether its secret is being changed
 * @returns the digest in lower-case hexadecimal where it holds
 */
export function verifySignature(
  body: Buffer,
  header: string | undefined,
  secrets: readonly string[],
  comparisons: number,
): string | undefined {
  const digest = SIGNATURE.exec(header ?? '')?.[1]?.toLowerCase();
  const claimed = digest === undefined ? NOBODYS : Buffer.from(digest, 'hex');
  let holds = false;
  for (let index = 0; index < comparisons; index += 1) {
    const secret = secrets[index];
    const made = createHmac('sha256', secret ?? NOBODYS)
      .update(body)
      .digest();
    const same = timingSafeEqual(made, claimed);
    holds = (same && secret !== undefined) || holds;
  }
  return holds ? digest : undefined;
}
