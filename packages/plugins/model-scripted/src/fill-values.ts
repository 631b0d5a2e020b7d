import type { Json } from '@countersign/core/plugin';
import { isJsonObject } from '@countersign/model';
import type { Conversation } from './conversation.js';

/**
 * Fills data into a value of a script: `{$from: path, default?}` is replaced by the value at that path, `{$text: […]}`
 * by the concatenated parts. There are no expressions, and inserted data is not evaluated.
 *
 * @throws {MissingValueError} if a value does not exist and has no default
 */
export function fillValues(value: Json, conversation: Conversation): Json {
  if (Array.isArray(value)) return value.map((item) => fillValues(item, conversation));
  if (!isJsonObject(value)) return value;
  if (typeof value.$from === 'string')
    return requireValue(value.$from, conversation.valueAt(value.$from) ?? value.default);
  if (Array.isArray(value.$text)) return value.$text.map((part) => toText(fillValues(part, conversation))).join('');
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillValues(item, conversation)]));
}

/** Thrown when a value that a script refers to does not exist. */
export class MissingValueError extends Error {
  constructor(readonly reference: string) {
    super(`There is no value at "${reference}".`);
    this.name = 'MissingValueError';
  }
}

export function toText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function requireValue(reference: string, value: Json | undefined): Json {
  if (value === undefined) throw new MissingValueError(reference);
  return value;
}
