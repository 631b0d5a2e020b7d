import type { FieldError } from './schemas/problem.js';

/** How deep a JSON value from outside may nest. */
export const MAX_JSON_DEPTH = 64;

const POLLUTING_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * What keeps a parsed body from being taken in at all, whatever its schema: keys that could pollute
 * a prototype, text that can be neither stored nor hashed (RFC 8785 §3.2.2.2), numbers beyond all (`1e400`, which is
 * parsed as an infinity), too much depth.
 * Without recursion, so that a body of a million brackets is refused and not a stack overflow.
 */
export function findUnsafeJson(root: unknown): FieldError | undefined {
  const open: { value: unknown; pointer: string; depth: number }[] = [{ value: root, pointer: '', depth: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, pointer, depth } = next;
    if (typeof value === 'string' && isUnstorable(value)) {
      return { pointer, code: 'unstorable_text', message: 'Holds a NUL character or half of a surrogate pair.' };
    }
    if (typeof value === 'number' && !Number.isFinite(value)) {
      return { pointer, code: 'number_too_large', message: 'Is larger than any number that can be kept.' };
    }
    if (typeof value !== 'object' || value === null) {
      continue;
    }
    if (depth >= MAX_JSON_DEPTH) {
      return { pointer, code: 'too_deep', message: `Nests deeper than ${MAX_JSON_DEPTH} levels.` };
    }
    for (const [key, member] of Object.entries(value)) {
      const at = `${pointer}/${escapePointer(key)}`;
      if (POLLUTING_KEYS.has(key)) {
        return { pointer: at, code: 'polluting_key', message: `The name "${key}" is not allowed.` };
      }
      if (isUnstorable(key)) {
        return {
          pointer,
          code: 'unstorable_text',
          message: 'A name holds a NUL character or half of a surrogate pair.',
        };
      }
      open.push({ value: member, pointer: at, depth: depth + 1 });
    }
  }
  return undefined;
}

/** A segment of a JSON Pointer (RFC 6901 §3). */
export function escapePointer(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}

function isUnstorable(text: string): boolean {
  return text.includes('\0') || LONE_SURROGATE.test(text);
}
