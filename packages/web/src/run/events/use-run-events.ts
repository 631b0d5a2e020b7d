import type { RunEvent } from '@countersign/contract';
import { useClient } from '@countersign/inbox-ui/api/client-context';
import { keys } from '@countersign/inbox-ui/api/keys';
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';

const PAGE = 200;
/** How long further pages are gathered before they are shown. */
const SHOW_EVERY_MS = 1_000;

interface LoadedEvents {
  readonly events: readonly RunEvent[];
  /** Whether these were all there were. */
  readonly complete: boolean;
}

const NONE: LoadedEvents = Object.freeze({ events: [], complete: false });

export interface RunEvents extends LoadedEvents {
  /** As far as they are loaded, oldest first, without gaps. */
  readonly events: readonly RunEvent[];
  readonly query: UseQueryResult<LoadedEvents>;
}

/**
 * All events of a run. What has happened does not change: a change of the run loads those behind the last one that is
 * known, and what is loaded is shown while further pages come.
 */
export function useRunEvents(runId: string, enabled = true): RunEvents {
  const client = useClient();
  const queries = useQueryClient();
  const queryKey = keys.ofRun(runId, 'events');
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      let { events } = queries.getQueryData<LoadedEvents>(queryKey) ?? NONE;
      let shownAt = events.length === 0 ? Number.NEGATIVE_INFINITY : performance.now();
      for (;;) {
        const after = events.at(-1)?.seq;
        const page = await client.listRunEvents(
          { runId, limit: PAGE, ...(after === undefined ? {} : { after }) },
          { signal },
        );
        if (page.items.length > 0) events = [...events, ...page.items];
        if (page.nextCursor === null) return { events, complete: true };
        // The first page at once; then now and then, as each time all of them are put into rows again.
        if (performance.now() - shownAt < SHOW_EVERY_MS) continue;
        shownAt = performance.now();
        queries.setQueryData(queryKey, { events, complete: false });
      }
    },
    enabled,
    // They are thousands, and each stays what it was: comparing them deeply would find nothing.
    structuralSharing: false,
  });
  return { ...(query.data ?? NONE), query };
}
