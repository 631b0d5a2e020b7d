import { TerminalFailure } from '@countersign/core/plugin';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** How far the clocks of server and host may be apart. */
const SKEW_MS = 3_600_000;
const KEY = /^[\w-]{1,100}$/;

/**
 * A text with a mark at its end that nobody sees, by which a later attempt at the same call finds what an earlier one has
 * already made: code hosts know no idempotency keys.
 */
export function marked(body: string, key: string): string {
  return `${body}\n\n${markOf(key)}`;
}

/** Whether a text ends with the mark of a call. Not whether it holds it: whoever quotes it is someone else. */
export function hasMark(body: unknown, key: string): boolean {
  return typeof body === 'string' && body.trimEnd().endsWith(markOf(key));
}

/** Before this nothing can have been made by a call, as its key tells (a UUIDv7 of when it was planned); `undefined` where it does not. */
export function notBefore(key: string): string | undefined {
  return UUID_V7.test(key)
    ? new Date(Math.max(0, Number.parseInt(key.slice(0, 8) + key.slice(9, 13), 16) - SKEW_MS)).toISOString()
    : undefined;
}

function markOf(key: string): string {
  if (!KEY.test(key))
    throw new TerminalFailure(
      'codehost_key_unusable',
      "The idempotency key of the job can't be written into a comment.",
    );
  return `<!-- countersign:${key} -->`;
}
