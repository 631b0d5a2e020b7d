import type { RunDetail, RunState, WorkflowDetail } from '@countersign/contract';
import { useClient } from '@countersign/inbox-ui/api/client-context';
import { queryKeys } from '@countersign/inbox-ui/api/query-keys';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { getDisplayedRun, type DisplayedRun } from './displayed-run.js';

export function useRun(runId: string) {
  const client = useClient();
  return useQuery<RunDetail>({
    queryKey: queryKeys.run(runId),
    queryFn: ({ signal }) => client.getRun({ runId }, { signal }),
  });
}

/** Loads the workflow version of a run. A version never changes, so events of the run do not reload it. */
export function useWorkflowVersion(run: RunDetail | undefined) {
  const client = useClient();
  const { workflowId = '', workflowVersion = 0 } = run ?? {};
  return useQuery<WorkflowDetail>({
    queryKey: queryKeys.workflowVersion(workflowId, workflowVersion),
    queryFn: ({ signal }) => client.getWorkflow({ workflowId, version: workflowVersion }, { signal }),
    enabled: run !== undefined,
    staleTime: 'static',
    placeholderData: (previous) => previous,
  });
}

/** Loads the state of the run after one of its events. Such a state never changes. */
function useRunState(runId: string, at: number | undefined) {
  const client = useClient();
  return useQuery<RunState>({
    queryKey: queryKeys.runState(runId, at ?? 0),
    queryFn: ({ signal }) => client.getRunState({ runId, at }, { signal }),
    enabled: at !== undefined,
    // An event that did not exist at the last request may exist now.
    staleTime: ({ state: { data } }) => (data?.at === at ? 'static' : 0),
    placeholderData: (previous) => previous,
  });
}

/**
 * Whether the page shows the requested state (`there`). While that state is `loading`, or if it `failed` to load, the
 * page shows another state.
 */
export type PastStateStatus = 'loaded' | 'loading' | 'failed';

/**
 * Loads the state of the run after one of its events.
 *
 * @param at sequence number of the event; `undefined` for the current state, which is not loaded
 * @param onBeyondLast called with the sequence number of the last event if the run has no event `at`
 */
export function useRunAtEvent(
  runId: string,
  at: number | undefined,
  onBeyondLast: (last: number) => void,
): {
  readonly query: UseQueryResult<RunState>;
  readonly state: RunState | undefined;
  readonly status: PastStateStatus;
} {
  const query = useRunState(runId, at);
  const state = at === undefined ? undefined : query.data;
  const lastExistingSeq =
    at !== undefined && state !== undefined && !query.isFetching && !query.isPlaceholderData && state.at !== at
      ? state.at
      : undefined;
  useEffect(() => {
    if (lastExistingSeq !== undefined) onBeyondLast(lastExistingSeq);
  }, [lastExistingSeq, onBeyondLast]);
  return {
    query,
    state,
    status: at === undefined || state?.at === at ? 'loaded' : query.isError ? 'failed' : 'loading',
  };
}

/** Returns the run in its current state or in a past one. */
export function useDisplayedRun(run: RunDetail, state: RunState | undefined): DisplayedRun {
  return useMemo(() => getDisplayedRun(run, state), [run, state]);
}
