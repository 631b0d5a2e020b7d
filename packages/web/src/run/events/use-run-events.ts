import type { RunEvent } from '@countersign/contract';
import { useClient } from '@countersign/inbox-ui/api/client-context';
import { queryKeys } from '@countersign/inbox-ui/api/query-keys';
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';

const PAGE_SIZE = 200;
/** Minimum interval between updates of the shown events while further pages load. */
const UPDATE_INTERVAL_MS = 1_000;

interface LoadedEvents {
  readonly events: readonly RunEvent[];
  /** Whether all events are loaded. */
  readonly complete: boolean;
}

const NO_EVENTS: LoadedEvents = Object.freeze({ events: [], complete: false });

export interface RunEvents extends LoadedEvents {
  /** Events loaded so far, oldest first, without gaps. */
  readonly events: readonly RunEvent[];
  readonly query: UseQueryResult<LoadedEvents>;
}

/**
 * Loads all events of a run. Events never change, so when the run is updated, only the events after the last loaded
 * one are requested. Loaded events are shown while further pages load.
 */
export function useRunEvents(runId: string, enabled = true): RunEvents {
  const client = useClient();
  const queryClient = useQueryClient();
  const queryKey = queryKeys.runData(runId, 'events');
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      let { events } = queryClient.getQueryData<LoadedEvents>(queryKey) ?? NO_EVENTS;
      let lastShownAt = events.length === 0 ? Number.NEGATIVE_INFINITY : performance.now();
      for (;;) {
        const after = events.at(-1)?.seq;
        const page = await client.listRunEvents(
          { runId, limit: PAGE_SIZE, ...(after === undefined ? {} : { after }) },
          { signal },
        );
        if (page.items.length > 0) events = [...events, ...page.items];
        if (page.nextCursor === null) return { events, complete: true };
        // The first page is shown immediately, later pages at intervals, because each update rebuilds all rows.
        if (performance.now() - lastShownAt < UPDATE_INTERVAL_MS) continue;
        lastShownAt = performance.now();
        queryClient.setQueryData(queryKey, { events, complete: false });
      }
    },
    enabled,
    // Loaded events never change, and there may be thousands, so a deep comparison would be useless and slow.
    structuralSharing: false,
  });
  return { ...(query.data ?? NO_EVENTS), query };
}
