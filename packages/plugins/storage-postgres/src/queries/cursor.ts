import { createHash } from 'node:crypto';
import { ApiError, type JsonObject } from '@countersign/core/plugin';
import { canonicalJson } from '@countersign/model';

/** Format of a text in a cursor. */
// eslint-disable-next-line no-control-regex -- PostgreSQL cannot store NUL
export const TEXT_PATTERN = /^[^\u0000]{0,1000}$/;

/**
 * Returns a cursor for the end of a page: the sort key of its last row, as strings. It contains a digest of the list,
 * the filter and the sort order, because a cursor of another list would silently skip or repeat rows.
 */
export function encodeCursor(list: string, filter: JsonObject, key: readonly string[]): string {
  return Buffer.from(JSON.stringify([digestList(list, filter), ...key])).toString('base64url');
}

/**
 * Decodes a cursor.
 *
 * @param patterns formats of the key values, which the database receives as strings to cast
 * @throws {ApiError} `invalid_cursor` if the cursor is malformed or belongs to another list, filter or sort order
 */
export function decodeCursor(list: string, filter: JsonObject, cursor: string, patterns: readonly RegExp[]): string[] {
  const parsed = parse(cursor);
  if (!isStringArray(parsed) || parsed.length !== patterns.length + 1)
    throw createInvalidCursorError('It was not created by this server.');
  const [listDigest, ...key] = parsed;
  if (listDigest !== digestList(list, filter))
    throw createInvalidCursorError('It belongs to another list, filter or sort order.');
  if (!patterns.every((pattern, index) => pattern.test(key[index] ?? '')))
    throw createInvalidCursorError('It was not created by this server.');
  return key;
}

export function createInvalidCursorError(reason: string): ApiError {
  return new ApiError('invalid_cursor', `The cursor cannot be used here. ${reason} Start again without a cursor.`);
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
}

function isStringArray(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function digestList(list: string, filter: JsonObject): string {
  return createHash('sha256')
    .update(canonicalJson([list, filter]))
    .digest('base64url')
    .slice(0, 12);
}
