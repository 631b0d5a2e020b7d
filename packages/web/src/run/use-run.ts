import type { RunDetail, RunState, WorkflowDetail } from '@countersign/contract';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useClient } from '../api/client-context.js';
import { keys } from '../api/keys.js';

export function useRun(runId: string): UseQueryResult<RunDetail> {
  const client = useClient();
  return useQuery({ queryKey: keys.run(runId), queryFn: ({ signal }) => client.getRun({ runId }, { signal }) });
}

/** A version of a workflow never changes: what happens in its runs is no reason to load it again. */
export function useWorkflowVersion(run: RunDetail | undefined): UseQueryResult<WorkflowDetail> {
  const client = useClient();
  const { workflowId = '', workflowVersion = 0 } = run ?? {};
  return useQuery({
    queryKey: keys.workflowVersion(workflowId, workflowVersion),
    queryFn: ({ signal }) => client.getWorkflow({ workflowId, version: workflowVersion }, { signal }),
    enabled: run !== undefined,
    placeholderData: (previous) => previous,
  });
}

/** The run as it was behind one of its events, which never changes either. */
export function useRunState(runId: string, at: number | undefined): UseQueryResult<RunState> {
  const client = useClient();
  return useQuery({
    queryKey: keys.runState(runId, at ?? 0),
    queryFn: ({ signal }) => client.getRunState({ runId, at }, { signal }),
    enabled: at !== undefined,
    staleTime: Infinity,
    placeholderData: (previous) => previous,
  });
}

/** The run as it is shown: now, or as it was then. */
export function useShownRun(run: RunDetail, state: RunState | undefined): RunDetail {
  return useMemo(() => {
    if (state === undefined) return run;
    const { status, outcome, cancelling, currentStep, incidents, error, steps } = state;
    return { ...run, status, outcome, cancelling, currentStep, incidents, error, steps, waitingFor: state.waitingFor ?? [], variables: state.variables ?? {}, recoverable: false };
  }, [run, state]);
}
