import type { Page } from '@countersign/contract';
import { useInfiniteQuery, type InfiniteData, type QueryKey, type UseInfiniteQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';

export interface Pages<T> {
  readonly items: readonly T[];
  /** Whether there are pages after `items`, also while these are the items of a previous query. */
  readonly hasMore: boolean;
  readonly query: UseInfiniteQueryResult<InfiniteData<Page<T>>>;
  /** Loads the next page, if there is one and no load is in progress. */
  loadMore(): void;
}

/**
 * Loads a list of the API page by page while scrolling. A refresh reloads only the pages already loaded.
 *
 * @param pollMs polling interval for lists that the change feed does not cover; if omitted, no polling
 */
export function usePages<T>(
  queryKey: QueryKey,
  load: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<T>>,
  pollMs?: number,
): Pages<T> {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => load(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: Page<T>) => page.nextCursor ?? undefined,
    placeholderData: (previous) => previous,
    ...(pollMs === undefined ? {} : { refetchInterval: pollMs }),
  });
  const items = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? [], [query.data]);
  const hasMore = (query.data?.pages.at(-1)?.nextCursor ?? null) !== null;
  const loadMore = (): void => {
    if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage();
  };
  return { items, hasMore, query, loadMore };
}
