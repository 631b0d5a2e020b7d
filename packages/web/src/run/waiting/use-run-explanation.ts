import type { Approval, RunDetail } from '@countersign/contract';
import { useClient } from '@countersign/inbox-ui/api/client-context';
import { queryKeys } from '@countersign/inbox-ui/api/query-keys';
import { useNow } from '@countersign/inbox-ui/time/use-now';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { explainRun, type RunExplanation, type RunContext } from './explain-run.js';

const NO_APPROVALS: readonly Approval[] = [];
/**
 * Time without progress after which the page checks whether the server lists the run as stuck; also the interval of the
 * checks.
 */
const STUCK_CHECK_INTERVAL_MS = 30_000;
const RECENT_EVENT_COUNT = 200;

/**
 * Explains the state of the run. Loads its approvals, its cancellation and whether it is stuck, if the explanation
 * needs them.
 */
export function useRunExplanation(run: RunDetail): RunExplanation {
  const now = useNow();
  const approvals = useApprovals(run);
  const cancellation = useCancellation(run);
  const stuck = useIsStuck(run, now);
  return useMemo(
    () => explainRun({ run, approvals, cancellation, stuck, now }),
    [run, approvals, cancellation, stuck, now],
  );
}

function useApprovals(run: RunDetail): readonly Approval[] {
  const client = useClient();
  const filter = { runId: run.runId, status: 'all' } as const;
  const { data } = useQuery({
    queryKey: queryKeys.approvals(filter),
    queryFn: ({ signal }) => client.listApprovals({ ...filter, limit: 200 }, { signal }),
    enabled: run.outcome === 'rejected' || run.waitingFor.some(({ kind }) => kind === 'approval'),
  });
  return data?.items ?? NO_APPROVALS;
}

/** Loads the actor and the reason of the cancellation from the last events. Only the event contains the reason. */
function useCancellation({ runId, outcome, cancelling }: RunDetail): RunContext['cancellation'] {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['run-cancellation', runId],
    queryFn: async ({ signal }) => {
      const { lastSeq } = await client.getRunState({ runId }, { signal });
      const { items } = await client.listRunEvents(
        { runId, after: Math.max(0, lastSeq - RECENT_EVENT_COUNT), limit: RECENT_EVENT_COUNT },
        { signal },
      );
      const cancelEvent = items.findLast(({ type }) => type === 'run.cancel_requested');
      const reason = cancelEvent?.data['reason'];
      return { by: cancelEvent?.actor ?? null, reason: typeof reason === 'string' ? reason : null };
    },
    enabled: cancelling || outcome === 'cancelled',
    staleTime: Infinity,
  });
  return data;
}

function useIsStuck(run: RunDetail, now: number): boolean {
  const client = useClient();
  const { runId, workflowId, startedAt } = run;
  const { data } = useQuery({
    queryKey: queryKeys.runData(runId, 'stuck'),
    queryFn: async ({ signal }) => {
      const { items } = await client.listRuns(
        {
          stuck: true,
          workflowId,
          startedAfter: shiftTime(startedAt, -1_000),
          startedBefore: shiftTime(startedAt, 1_000),
          limit: 200,
        },
        { signal },
      );
      return items.some((each) => each.runId === runId);
    },
    enabled:
      run.status === 'active' &&
      run.waitingFor.length === 0 &&
      now - Date.parse(run.updatedAt) > STUCK_CHECK_INTERVAL_MS,
    refetchInterval: STUCK_CHECK_INTERVAL_MS,
  });
  return data ?? false;
}

function shiftTime(at: string, ms: number): string {
  return new Date(Date.parse(at) + ms).toISOString();
}
