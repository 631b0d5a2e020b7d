import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const PROCESS_KEY = randomBytes(32);

/** Compares strings in a time that reveals neither where they differ nor how long the expected one is. */
export function equalInConstantTime(actual: string, expected: string): boolean {
  return timingSafeEqual(digest(actual), digest(expected));
}

/** Returns whether any of the values passes a check, without stopping early at a match. */
export function anyMatches(values: readonly string[], matches: (value: string) => boolean): boolean {
  return values.reduce((hasMatch, value) => matches(value) || hasMatch, false);
}

function digest(text: string): Buffer {
  return createHmac('sha256', PROCESS_KEY).update(text).digest();
}
