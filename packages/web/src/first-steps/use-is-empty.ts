import { useClient } from '@countersign/inbox-ui/api/client-context';
import { queryKeys } from '@countersign/inbox-ui/api/query-keys';
import { useQuery } from '@tanstack/react-query';
import { useRunCount } from '../runs/use-run-count.js';

const ALL_RUNS = {};

/**
 * Returns whether the system has no runs, on the pages where that matters. The list of runs counts them, so they are not
 * counted again there.
 *
 * @param isRelevant whether the result is used
 */
export function useIsEmpty(pathname: string, isRelevant: boolean): boolean {
  const client = useClient();
  const count = useRunCount(ALL_RUNS, false);
  const anyRun = useQuery({
    queryKey: queryKeys.runs({ any: true }),
    queryFn: async ({ signal }) => (await client.listRuns({ limit: 1 }, { signal })).items.length > 0,
    enabled: isRelevant && pathname === '/approvals',
    // Runs are never deleted, so a system that has a run is never empty again.
    staleTime: ({ state }) => (state.data === true ? 'static' : 0),
  });
  if (!isRelevant) return false;
  return pathname === '/runs' ? count.data?.count === 0 : pathname === '/approvals' && anyRun.data === false;
}
