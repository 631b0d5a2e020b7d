import type { Page } from '@countersign/contract';

/** Maximum page size of the API. */
const PAGE_SIZE = 200;

interface PageRequest {
  readonly limit: number;
  readonly cursor?: string;
}

/**
 * Loads every page of an API list, for lists that are needed whole: for a selection or another sort order.
 *
 * @param maxItems maximum number of items; the list is cut off after it
 */
export async function loadAllPages<T>(
  load: (page: PageRequest) => Promise<Page<T>>,
  maxItems = Number.POSITIVE_INFINITY,
): Promise<readonly T[]> {
  const items: T[] = [];
  let cursor: string | undefined;
  do {
    const page = await load({ limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) });
    items.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && items.length < maxItems);
  return items;
}
