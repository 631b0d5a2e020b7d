import type { Client, Page, Run } from '@countersign/contract';
import { useClient } from '@countersign/inbox-ui/api/client-context';
import { keys } from '@countersign/inbox-ui/api/keys';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import type { RunsQuery } from './run-filter.js';
import { cursorAbove, NO_RUNS, withPage, type RunList } from './run-list.js';

const PAGE = 100;
/** Maximum number of pages that a refresh loads to reach the known rows. */
const MAX_PAGES = 5;
/** Maximum number of empty pages before one with rows. */
const MAX_EMPTY = 20;

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
  const queries = useQueryClient();
  const queryKey = keys.runs({ list: query });
  const firstInSight = useRef(0);
  const [loadingMore, setLoadingMore] = useState(false);
  const [moreFailed, setMoreFailed] = useState<Error | null>(null);
  const { data, isPending, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      refresh(client, query, queries.getQueryData<RunList>(queryKey) ?? NO_RUNS, firstInSight.current, signal),
    // Thousands of runs are not compared field by field.
    structuralSharing: false,
  });
  const list = data ?? NO_RUNS;
  const last = list.runs.at(-1);

  const loadMore = (): void => {
    const cursor = last === undefined ? undefined : list.cursors.get(last.runId);
    if (loadingMore || cursor === undefined || last === undefined) return;
    setLoadingMore(true);
    pageOf(client, query, PAGE, cursor)
      .then((page) => {
        setMoreFailed(null);
        // A refresh may have changed the end of the list in the meantime.
        queries.setQueryData<RunList>(queryKey, (now) =>
          now?.runs.at(-1)?.runId === last.runId ? withPage(now, page, last.runId).list : now,
        );
      }, setMoreFailed)
      .finally(() => setLoadingMore(false));
  };
  const onRange = useCallback((first: number) => {
    firstInSight.current = first;
  }, []);
  const retry = (): void => {
    setMoreFailed(null);
    void refetch();
  };
  return {
    runs: list.runs,
    complete: list.complete,
    isPending,
    loadingMore,
    error: error ?? moreFailed,
    retry,
    loadMore,
    onRange,
  };
}

/** Loads a page with at least one row: for a filter with few matches the server returns empty pages in between. */
async function pageOf(
  client: Client,
  query: RunsQuery,
  limit: number,
  cursor?: string,
  signal?: AbortSignal,
): Promise<Page<Run>> {
  let page: Page<Run> = { items: [], nextCursor: cursor ?? null };
  for (
    let tries = 0;
    tries < MAX_EMPTY && page.items.length === 0 && (tries === 0 || page.nextCursor !== null);
    tries += 1
  ) {
    page = await client.listRuns(
      { ...query, limit, ...(page.nextCursor !== null && { cursor: page.nextCursor }) },
      signal === undefined ? {} : { signal },
    );
  }
  return page;
}

async function refresh(
  client: Client,
  query: RunsQuery,
  known: RunList,
  row: number,
  signal: AbortSignal,
): Promise<RunList> {
  let page = await pageOf(client, query, PAGE, undefined, signal);
  let { list, touches } = withPage(known, page, undefined);
  if (!touches) {
    // More runs are new than a page holds: either the gap is closed, or the list starts again.
    let rest = list;
    for (let pages = 1; pages < MAX_PAGES && !touches && page.nextCursor !== null; pages += 1) {
      const after = rest.runs.at(-1)?.runId;
      page = await pageOf(client, query, PAGE, page.nextCursor, signal);
      const joined = withPage(
        {
          ...rest,
          runs: [...rest.runs, ...known.runs],
          cursors: new Map([...known.cursors, ...rest.cursors]),
          complete: known.complete,
        },
        page,
        after,
      );
      touches = joined.touches;
      rest = joined.list;
    }
    list = rest;
  }
  const above = row < PAGE ? undefined : cursorAbove(list, row);
  if (above === undefined) return list;
  const sight = await pageOf(client, query, PAGE * 2, above.cursor, signal);
  return withPage(list, sight, above.after).list;
}
