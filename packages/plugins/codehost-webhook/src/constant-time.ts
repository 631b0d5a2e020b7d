import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const PROCESS_KEY = randomBytes(32);

/** Compares strings in a time that reveals neither where they differ nor how long the expected one is. */
export function equalInConstantTime(actual: string, expected: string): boolean {
  return timingSafeEqual(digest(actual), digest(expected));
}

/** Returns whether a check holds for any of the secrets, without stopping early at a match. */
export function anyMatches(secrets: readonly string[], matches: (secret: string) => boolean): boolean {
  return secrets.reduce((hasMatch, secret) => matches(secret) || hasMatch, false);
}

function digest(text: string): Buffer {
  return createHmac('sha256', PROCESS_KEY).update(text).digest();
}
