import { TerminalFailure } from '@countersign/core/plugin';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** Maximum clock difference between server and code host. */
const MAX_CLOCK_SKEW_MS = 3_600_000;
const KEY_PATTERN = /^[\w-]{1,100}$/;

/**
 * Appends an invisible mark to text. Because code hosts do not support idempotency keys, a later attempt of the same
 * call uses the mark to find what an earlier attempt created.
 */
export function appendMark(body: string, key: string): string {
  return `${body}\n\n${createMark(key)}`;
}

/**
 * Returns whether text ends with the mark of a call. A mark elsewhere does not count, because another user may have
 * quoted it.
 */
export function hasMark(body: unknown, key: string): boolean {
  return typeof body === 'string' && body.trimEnd().endsWith(createMark(key));
}

/**
 * Returns the earliest time at which a call can have created something, derived from its key (a UUIDv7 of the time it
 * was planned); `undefined` if the key contains no time.
 */
export function getEarliestCreationTime(key: string): string | undefined {
  return UUID_V7.test(key)
    ? new Date(Math.max(0, Number.parseInt(key.slice(0, 8) + key.slice(9, 13), 16) - MAX_CLOCK_SKEW_MS)).toISOString()
    : undefined;
}

function createMark(key: string): string {
  if (!KEY_PATTERN.test(key))
    throw new TerminalFailure(
      'codehost_key_unusable',
      'The idempotency key of the job cannot be written into a comment.',
    );
  return `<!-- countersign:${key} -->`;
}
