import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const PROCESS_KEY = randomBytes(32);

/** Compares strings in a time that reveals neither where they differ nor how long the expected one is. */
export function equalInConstantTime(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

/** Returns whether a check holds for any of the secrets, without stopping early at a match. */
export function anyHolds(secrets: readonly string[], holds: (secret: string) => boolean): boolean {
  return secrets.reduce((found, secret) => holds(secret) || found, false);
}

function digest(text: string): Buffer {
  return createHmac('sha256', PROCESS_KEY).update(text).digest();
}
