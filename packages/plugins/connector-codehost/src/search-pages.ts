import { TerminalFailure } from '@countersign/core/plugin';

const MAX_PAGES = 50;

/**
 * Searches the pages of a list for something that an earlier attempt created.
 *
 * @param tooMany error message if there are too many pages to be certain
 * @throws {TerminalFailure} `codehost_too_much_to_search`
 */
export async function searchPages<Item, Found>(
  pages: AsyncIterable<{ readonly data: Item[] }>,
  find: (items: Item[]) => Found | undefined,
  tooMany: string,
): Promise<Found | undefined> {
  let looked = 0;
  for await (const { data } of pages) {
    const found = find(data);
    if (found !== undefined) return found;
    looked += 1;
    if (looked === MAX_PAGES) throw new TerminalFailure('codehost_too_much_to_search', tooMany);
  }
  return undefined;
}
