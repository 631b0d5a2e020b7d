import type { Page } from '@countersign/contract';

/** Maximum page size of the API. */
const PAGE = 200;

interface PageOf {
  readonly limit: number;
  readonly cursor?: string;
}

/**
 * Loads every page of an API list, for lists that are needed whole: for a selection or another sort order.
 *
 * @param most maximum number of items; the list is cut off after it
 */
export async function allPages<T>(
  load: (page: PageOf) => Promise<Page<T>>,
  most = Number.POSITIVE_INFINITY,
): Promise<readonly T[]> {
  const items: T[] = [];
  let cursor: string | undefined;
  do {
    const page = await load({ limit: PAGE, ...(cursor !== undefined && { cursor }) });
    items.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && items.length < most);
  return items;
}
