import { ApiError } from '@countersign/model';
import type { Page, PageRequest } from '../ports/records.js';

/** Creates a cursor from the name of a list and a position in it. Other lists refuse the cursor. */
export function encodeCursor(listName: string, position: string): string {
  return Buffer.from(`${listName}:${position}`).toString('base64url');
}

/**
 * Returns the position in a cursor.
 *
 * @throws {ApiError} `invalid_cursor` if the cursor does not belong to this list
 */
export function decodeCursor(listName: string, cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  if (!text.startsWith(`${listName}:`) || encodeCursor(listName, text.slice(listName.length + 1)) !== cursor)
    throw invalidCursorError();
  return text.slice(listName.length + 1);
}

export function invalidCursorError(): ApiError {
  return new ApiError(
    'invalid_cursor',
    'The cursor does not belong to this list. Use the nextCursor of an earlier page.',
  );
}

/**
 * Returns a page of a list that is short enough to be read completely. The cursor contains the key of the last item.
 */
export function paginate<T>(
  items: readonly T[],
  listName: string,
  getKey: (item: T) => string,
  page: PageRequest,
): Page<T> {
  let startIndex = 0;
  if (page.cursor !== undefined) {
    const last = decodeCursor(listName, page.cursor);
    startIndex = items.findIndex((item) => getKey(item) === last) + 1;
    if (startIndex === 0) throw invalidCursorError();
  }
  const pageItems = items.slice(startIndex, startIndex + page.limit);
  const last = pageItems.at(-1);
  return {
    items: pageItems,
    nextCursor:
      startIndex + pageItems.length < items.length && last !== undefined ? encodeCursor(listName, getKey(last)) : null,
  };
}
