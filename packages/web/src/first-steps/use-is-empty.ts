import { useClient } from '@countersign/inbox-ui/api/client-context';
import { queryKeys } from '@countersign/inbox-ui/api/query-keys';
import { useQuery } from '@tanstack/react-query';

/** Key of the question whether there is any run. No change of a run reloads it, because runs are never deleted. */
export const ANY_RUN_KEY = Object.freeze(['any-run'] as const);

/**
 * Returns whether the system has no runs, on the pages where that matters. The list of runs has counted them, so they
 * are not counted again there.
 */
export function useIsEmpty(pathname: string): boolean {
  const client = useClient();
  const query = {};
  const count = useQuery({
    queryKey: queryKeys.runs({ count: query }),
    queryFn: ({ signal }) => client.countRuns(query, { signal }),
    enabled: false,
  });
  const anyRun = useQuery({
    queryKey: ANY_RUN_KEY,
    queryFn: async ({ signal }) => (await client.listRuns({ limit: 1 }, { signal })).items.length > 0,
    enabled: pathname === '/approvals',
    staleTime: Infinity,
  });
  if (pathname === '/runs') return count.data?.count === 0;
  return pathname === '/approvals' && anyRun.data === false;
}
