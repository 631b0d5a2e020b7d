import type { Client, Page, Run } from '@countersign/contract';
import { useClient } from '@countersign/inbox-ui/api/client-context';
import { queryKeys } from '@countersign/inbox-ui/api/query-keys';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import type { RunsQuery } from './run-filter.js';
import { findCursorAbove, NO_RUNS, mergePage, type RunList } from './run-list.js';

const PAGE_SIZE = 100;
/** Maximum number of pages that a refresh loads to reach the known rows. */
const MAX_PAGES = 5;
/** Maximum number of empty pages before one with rows. */
const MAX_EMPTY_PAGES = 20;

export interface LiveRuns {
  readonly runs: readonly Run[];
  readonly complete: boolean;
  readonly isPending: boolean;
  readonly loadingMore: boolean;
  readonly error: Error | null;
  retry(): void;
  loadMore(): void;
  /** Reports the first visible row, so that a refresh reloads the visible ones. */
  onRange(first: number): void;
}

/**
 * Loads the runs that match a filter, as far as the user scrolled. Each change costs two requests, whatever the length:
 * for the newest runs and for the visible ones.
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
    // Thousands of runs are not compared field by field.
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

/** Loads a page with at least one row: for a filter with few matches the server returns empty pages in between. */
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
  row: number,
  signal: AbortSignal,
): Promise<RunList> {
  let page = await loadPage(client, query, PAGE_SIZE, undefined, signal);
  let { list, isContiguous } = mergePage(previousList, page, undefined);
  if (!isContiguous) {
    // More runs are new than a page holds: either the gap is closed, or the list starts again.
    let extendedList = list;
    for (let pageCount = 1; pageCount < MAX_PAGES && !isContiguous && page.nextCursor !== null; pageCount += 1) {
      const after = extendedList.runs.at(-1)?.runId;
      page = await loadPage(client, query, PAGE_SIZE, page.nextCursor, signal);
      const merged = mergePage(
        {
          ...extendedList,
          runs: [...extendedList.runs, ...previousList.runs],
          cursors: new Map([...previousList.cursors, ...extendedList.cursors]),
          complete: previousList.complete,
        },
        page,
        after,
      );
      isContiguous = merged.isContiguous;
      extendedList = merged.list;
    }
    list = extendedList;
  }
  const cursorAboveRow = row < PAGE_SIZE ? undefined : findCursorAbove(list, row);
  if (cursorAboveRow === undefined) return list;
  const visiblePage = await loadPage(client, query, PAGE_SIZE * 2, cursorAboveRow.cursor, signal);
  return mergePage(list, visiblePage, cursorAboveRow.after).list;
}
