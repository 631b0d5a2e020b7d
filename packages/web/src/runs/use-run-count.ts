import { useClient } from '@countersign/inbox-ui/api/client-context';
import { queryKeys } from '@countersign/inbox-ui/api/query-keys';
import { useQuery } from '@tanstack/react-query';
import type { RunsQuery } from './run-filter.js';

/**
 * Counts the runs that match a query.
 *
 * @param enabled `false`: uses the count of another component, and does not request one
 */
export function useRunCount(query: RunsQuery, enabled = true) {
  const client = useClient();
  return useQuery({
    queryKey: queryKeys.runs({ count: query }),
    queryFn: ({ signal }) => client.countRuns(query, { signal }),
    enabled,
  });
}
