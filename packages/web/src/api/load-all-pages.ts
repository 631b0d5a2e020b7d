import type { Page } from '@countersign/contract';

/** Maximum page size of the API. */
const PAGE_SIZE = 200;

interface PageRequest {
  readonly limit: number;
  readonly cursor?: string;
}

/**
 * Loads all pages of an API list that is needed in full, for example to fill a selection or to change the sort order.
 *
 * @param maxItems number of items after which no further page is loaded
 */
export async function loadAllPages<T>(
  loadPage: (page: PageRequest) => Promise<Page<T>>,
  maxItems = Number.POSITIVE_INFINITY,
): Promise<readonly T[]> {
  const items: T[] = [];
  let cursor: string | undefined;
  do {
    const page = await loadPage({ limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) });
    items.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && items.length < maxItems);
  return items;
}
