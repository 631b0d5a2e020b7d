import type { Page } from '@countersign/contract';

/** The most that the API gives at once. */
const PAGE = 200;

interface PageOf {
  readonly limit: number;
  readonly cursor?: string;
}

/**
 * A list of the API to its end, for lists that are needed whole: to choose one of, or to put in another order.
 *
 * @param most after how many it is cut short
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
