import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Reloads the displayed data. A query that is already loading is loaded again afterwards: its response may predate the
 * change, and TanStack Query would keep it as the newest (`invalidateQueries` joins a first load in progress).
 *
 * @param queryKey prefix of the affected keys; empty: all keys
 */
export async function reloadQueries(queryClient: QueryClient, queryKey: QueryKey = []): Promise<void> {
  const loadingQueries = queryClient.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' });
  await queryClient.invalidateQueries({ queryKey }, { cancelRefetch: false });
  await Promise.all(
    loadingQueries.map((query) =>
      queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true }, { cancelRefetch: false }),
    ),
  );
}
