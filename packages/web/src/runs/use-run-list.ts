import type { Client, Page, Run } from '@countersign/contract';
import { useClient } from '@countersign/inbox-ui/api/client-context';
import { queryKeys } from '@countersign/inbox-ui/api/query-keys';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import type { RunsQuery } from './run-filter.js';
import { findCursorAbove, NO_RUNS, mergePage, type RunList } from './run-list.js';

const PAGE_SIZE = 100;
/** Maximum number of pages that a refresh loads to reach the known rows. */
const MAX_REFRESH_PAGES = 5;
/** Maximum number of pages to request until one has rows. */
const MAX_EMPTY_PAGES = 20;

export interface LiveRuns {
  readonly runs: readonly Run[];
  readonly complete: boolean;
  readonly isPending: boolean;
  readonly loadingMore: boolean;
  readonly error: Error | null;
  retry(): void;
  loadMore(): void;
  /** Reports the index of the first visible row, so that a refresh reloads the visible rows. */
  onRange(first: number): void;
}

/**
 * Loads the runs that match a filter, down to the row to which the user has scrolled. Regardless of the length of the
 * list, a refresh usually takes at most two requests: one for the newest runs and one for the visible runs.
 */
export function useRunList(query: RunsQuery): LiveRuns {
  const client = useClient();
  const queryClient = useQueryClient();
  const queryKey = queryKeys.runs({ list: query });
  const firstVisibleRow = useRef(0);
  const [loadingMore, setLoadingMore] = useState(false);
  const [loadMoreError, setLoadMoreError] = useState<Error | null>(null);
  const { data, isPending, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      refreshList(
        client,
        query,
        queryClient.getQueryData<RunList>(queryKey) ?? NO_RUNS,
        firstVisibleRow.current,
        signal,
      ),
    // Avoids comparing thousands of runs field by field.
    structuralSharing: false,
  });
  const list = data ?? NO_RUNS;
  const lastRun = list.runs.at(-1);

  const loadMore = (): void => {
    const cursor = lastRun === undefined ? undefined : list.cursors.get(lastRun.runId);
    if (loadingMore || cursor === undefined || lastRun === undefined) return;
    setLoadingMore(true);
    loadPage(client, query, PAGE_SIZE, cursor)
      .then((page) => {
        setLoadMoreError(null);
        // A refresh may have changed the end of the list in the meantime.
        queryClient.setQueryData<RunList>(queryKey, (currentList) =>
          currentList?.runs.at(-1)?.runId === lastRun.runId
            ? mergePage(currentList, page, lastRun.runId).list
            : currentList,
        );
      }, setLoadMoreError)
      .finally(() => setLoadingMore(false));
  };
  const onRange = useCallback((first: number) => {
    firstVisibleRow.current = first;
  }, []);
  const retry = (): void => {
    setLoadMoreError(null);
    void refetch();
  };
  return {
    runs: list.runs,
    complete: list.complete,
    isPending,
    loadingMore,
    error: error ?? loadMoreError,
    retry,
    loadMore,
    onRange,
  };
}

/** Loads the next page that has rows. If few runs match the filter, the server may return empty pages before it. */
async function loadPage(
  client: Client,
  query: RunsQuery,
  limit: number,
  cursor?: string,
  signal?: AbortSignal,
): Promise<Page<Run>> {
  let page: Page<Run> = { items: [], nextCursor: cursor ?? null };
  for (
    let attempts = 0;
    attempts < MAX_EMPTY_PAGES && page.items.length === 0 && (attempts === 0 || page.nextCursor !== null);
    attempts += 1
  ) {
    page = await client.listRuns(
      { ...query, limit, ...(page.nextCursor !== null && { cursor: page.nextCursor }) },
      signal === undefined ? {} : { signal },
    );
  }
  return page;
}

async function refreshList(
  client: Client,
  query: RunsQuery,
  previousList: RunList,
  firstVisibleRow: number,
  signal: AbortSignal,
): Promise<RunList> {
  let page = await loadPage(client, query, PAGE_SIZE, undefined, signal);
  let { list, isContiguous } = mergePage(previousList, page, undefined);
  if (!isContiguous) {
    // There are more new runs than fit on a page. Loads further pages to close the gap; if a gap remains, older rows
    // are dropped.
    let extendedList = list;
    for (
      let pageCount = 1;
      pageCount < MAX_REFRESH_PAGES && !isContiguous && page.nextCursor !== null;
      pageCount += 1
    ) {
      const previousRunId = extendedList.runs.at(-1)?.runId;
      page = await loadPage(client, query, PAGE_SIZE, page.nextCursor, signal);
      const merged = mergePage(
        {
          ...extendedList,
          runs: [...extendedList.runs, ...previousList.runs],
          cursors: new Map([...previousList.cursors, ...extendedList.cursors]),
          complete: previousList.complete,
        },
        page,
        previousRunId,
      );
      isContiguous = merged.isContiguous;
      extendedList = merged.list;
    }
    list = extendedList;
  }
  const cursorAboveRow = firstVisibleRow < PAGE_SIZE ? undefined : findCursorAbove(list, firstVisibleRow);
  if (cursorAboveRow === undefined) return list;
  const visiblePage = await loadPage(client, query, PAGE_SIZE * 2, cursorAboveRow.cursor, signal);
  return mergePage(list, visiblePage, cursorAboveRow.after).list;
}
