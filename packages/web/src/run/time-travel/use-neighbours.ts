import { useClient } from '@countersign/inbox-ui/api/client-context';
import { keys } from '@countersign/inbox-ui/api/keys';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

/** Loads the states before and after the one that is shown, so that a step to them is immediate. */
export function useNeighbours(runId: string, at: number | undefined, last: number): void {
  const client = useClient();
  const queries = useQueryClient();
  useEffect(() => {
    if (at === undefined) return;
    for (const next of [at - 1, at + 1]) {
      if (next < 1 || next > last) continue;
      void queries.prefetchQuery({
        queryKey: keys.runState(runId, next),
        queryFn: ({ signal }) => client.getRunState({ runId, at: next }, { signal }),
        staleTime: 'static',
      });
    }
  }, [runId, at, last, client, queries]);
}
