import { TerminalFailure } from '@countersign/core/plugin';

const MAX_PAGES = 50;

/**
 * Searches the pages of a list for something that an earlier attempt created.
 *
 * @param tooManyMessage error message if there are too many pages to be certain
 * @throws {TerminalFailure} `codehost_too_much_to_search`
 */
export async function searchPages<Item, Found>(
  pages: AsyncIterable<{ readonly data: Item[] }>,
  find: (items: Item[]) => Found | undefined,
  tooManyMessage: string,
): Promise<Found | undefined> {
  let pageCount = 0;
  for await (const { data } of pages) {
    const found = find(data);
    if (found !== undefined) return found;
    pageCount += 1;
    if (pageCount === MAX_PAGES) throw new TerminalFailure('codehost_too_much_to_search', tooManyMessage);
  }
  return undefined;
}
