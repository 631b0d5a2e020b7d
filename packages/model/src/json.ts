import { escapePointer } from './json-pointer.js';
import { isWellFormed } from './is-well-formed.js';

/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A JSON object. Keys that could pollute a prototype are refused in all input (see {@link isSafeKey}). */
export interface JsonObject {
  [key: string]: Json;
}

const POLLUTING_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Returns whether a key may be used as a variable name or an object key from outside. */
export function isSafeKey(key: string): boolean {
  return !POLLUTING_KEYS.has(key);
}

/** Returns whether a JSON value is an object (and neither `null` nor a list). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Maximum nesting depth of a JSON value from outside. */
export const MAX_JSON_DEPTH = 64;

export interface JsonProblem {
  /** JSON Pointer (RFC 6901) to the problem. */
  readonly pointer: string;
  readonly code: 'polluting_key' | 'too_deep' | 'unstorable_text' | 'number_too_large' | 'number_not_exact';
  readonly message: string;
}

/**
 * Returns the reason why a JSON value cannot be stored and hashed: a polluting key, a NUL character (PostgreSQL cannot
 * store it), a lone surrogate or an infinity (RFC 8785, 3.2.2 refuses them), or nesting that is too deep.
 *
 * @returns `undefined` if the value has no problem
 */
export function findJsonProblem(value: unknown, pointer = '', depth = 0): JsonProblem | undefined {
  if (typeof value === 'string') {
    return isStorable(value)
      ? undefined
      : { pointer, code: 'unstorable_text', message: 'Contains a NUL character or a lone surrogate.' };
  }
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return {
      pointer,
      code: 'number_too_large',
      message: 'Is not a number, or is larger than any number that can be stored.',
    };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth >= MAX_JSON_DEPTH) {
    return { pointer, code: 'too_deep', message: `Nests deeper than ${MAX_JSON_DEPTH} levels.` };
  }
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const found = findJsonProblem(value[index], `${pointer}/${index}`, depth + 1);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  for (const [key, member] of Object.entries(value)) {
    if (!isStorable(key))
      return { pointer, code: 'unstorable_text', message: 'A name contains a NUL character or a lone surrogate.' };
    const memberPointer = `${pointer}/${escapePointer(key)}`;
    if (!isSafeKey(key))
      return { pointer: memberPointer, code: 'polluting_key', message: `The name "${key}" is not allowed.` };
    const found = findJsonProblem(member, memberPointer, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isStorable(text: string): boolean {
  return isWellFormed(text) && !text.includes('\0');
}
