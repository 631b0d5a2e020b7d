import { useClient } from '@countersign/inbox-ui/api/client-context';
import { queryKeys } from '@countersign/inbox-ui/api/query-keys';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

/** Loads the states before and after the shown state in advance, so that the user can move to them without delay. */
export function usePrefetchStates(runId: string, at: number | undefined, lastSeq: number): void {
  const client = useClient();
  const queryClient = useQueryClient();
  useEffect(() => {
    if (at === undefined) return;
    for (const neighbour of [at - 1, at + 1]) {
      if (neighbour < 1 || neighbour > lastSeq) continue;
      void queryClient.prefetchQuery({
        queryKey: queryKeys.runState(runId, neighbour),
        queryFn: ({ signal }) => client.getRunState({ runId, at: neighbour }, { signal }),
        staleTime: 'static',
      });
    }
  }, [runId, at, lastSeq, client, queryClient]);
}
