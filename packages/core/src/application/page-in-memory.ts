import { ApiError } from '@countersign/model';
import type { Page, PageRequest } from '../ports/records.js';

/** Creates a cursor that only its list accepts: the name of the list, and the position in it. */
export function makeCursor(list: string, place: string): string {
  return Buffer.from(`${list}:${place}`).toString('base64url');
}

/**
 * Returns the position in a cursor.
 *
 * @throws {ApiError} `invalid_cursor` if the cursor does not belong to this list
 */
export function readCursor(list: string, cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  if (!text.startsWith(`${list}:`) || makeCursor(list, text.slice(list.length + 1)) !== cursor) throw invalidCursor();
  return text.slice(list.length + 1);
}

export function invalidCursor(): ApiError {
  return new ApiError(
    'invalid_cursor',
    'The cursor does not belong to this list. Use the nextCursor of an earlier page.',
  );
}

/** Returns a page of a list that is short enough to be read completely. The cursor uses the items' keys. */
export function pageOf<T>(items: readonly T[], list: string, keyOf: (item: T) => string, page: PageRequest): Page<T> {
  let from = 0;
  if (page.cursor !== undefined) {
    const last = readCursor(list, page.cursor);
    from = items.findIndex((item) => keyOf(item) === last) + 1;
    if (from === 0) throw invalidCursor();
  }
  const chosen = items.slice(from, from + page.limit);
  const last = chosen.at(-1);
  return {
    items: chosen,
    nextCursor: from + chosen.length < items.length && last !== undefined ? makeCursor(list, keyOf(last)) : null,
  };
}
