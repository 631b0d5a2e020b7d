import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Loads what is shown again. What is being loaded at that moment is loaded once more after that: its answer may be older
 * than what changed, and TanStack Query would keep it as the newest there is (`invalidateQueries` joins a first load that is
 * under way).
 *
 * @param queryKey the beginning of the keys of what changed; empty: everything
 */
export async function loadAgain(queries: QueryClient, queryKey: QueryKey = []): Promise<void> {
  const underWay = queries.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' });
  await queries.invalidateQueries({ queryKey }, { cancelRefetch: false });
  await Promise.all(
    underWay.map((query) =>
      queries.invalidateQueries({ queryKey: query.queryKey, exact: true }, { cancelRefetch: false }),
    ),
  );
}
