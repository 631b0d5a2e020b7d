import type { Approval, RunDetail } from '@countersign/contract';
import { useClient } from '@countersign/inbox-ui/api/client-context';
import { keys } from '@countersign/inbox-ui/api/keys';
import { useNow } from '@countersign/inbox-ui/time/use-now';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { explainRun, type RunExplanation, type RunContext } from './why-waiting.js';

const NONE: readonly Approval[] = [];
/** A run with recent progress is not stuck, whatever the server's setting. */
const MAY_BE_STUCK_MS = 30_000;
const LAST_EVENTS = 200;

/** Explains the state of the run and loads what that needs. */
export function useRunExplanation(run: RunDetail): RunExplanation {
  const now = useNow();
  const approvals = useApprovals(run);
  const cancelled = useCancellation(run);
  const stuck = useStuck(run, now);
  return useMemo(() => explainRun({ run, approvals, cancelled, stuck, now }), [run, approvals, cancelled, stuck, now]);
}

function useApprovals(run: RunDetail): readonly Approval[] {
  const client = useClient();
  const filter = { runId: run.runId, status: 'all' } as const;
  const { data } = useQuery({
    queryKey: keys.approvals(filter),
    queryFn: ({ signal }) => client.listApprovals({ ...filter, limit: 200 }, { signal }),
    enabled: run.outcome === 'rejected' || run.waitingFor.some(({ kind }) => kind === 'approval'),
  });
  return data?.items ?? NONE;
}

/** Loads the cancellation request, which is among the last events. Its reason is stored nowhere else. */
function useCancellation({ runId, outcome, cancelling }: RunDetail): RunContext['cancelled'] {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['run-cancellation', runId],
    queryFn: async ({ signal }) => {
      const { lastSeq } = await client.getRunState({ runId }, { signal });
      const { items } = await client.listRunEvents(
        { runId, after: Math.max(0, lastSeq - LAST_EVENTS), limit: LAST_EVENTS },
        { signal },
      );
      const request = items.findLast(({ type }) => type === 'run.cancel_requested');
      const reason = request?.data['reason'];
      return { by: request?.actor ?? null, reason: typeof reason === 'string' ? reason : null };
    },
    enabled: cancelling || outcome === 'cancelled',
    staleTime: Infinity,
  });
  return data;
}

function useStuck(run: RunDetail, now: number): boolean {
  const client = useClient();
  const { runId, workflowId, startedAt } = run;
  const { data } = useQuery({
    queryKey: keys.ofRun(runId, 'stuck'),
    queryFn: async ({ signal }) => {
      const { items } = await client.listRuns(
        {
          stuck: true,
          workflowId,
          startedAfter: shifted(startedAt, -1_000),
          startedBefore: shifted(startedAt, 1_000),
          limit: 200,
        },
        { signal },
      );
      return items.some((each) => each.runId === runId);
    },
    enabled:
      run.status === 'active' && run.waitingFor.length === 0 && now - Date.parse(run.updatedAt) > MAY_BE_STUCK_MS,
    refetchInterval: MAY_BE_STUCK_MS,
  });
  return data ?? false;
}

function shifted(at: string, ms: number): string {
  return new Date(Date.parse(at) + ms).toISOString();
}
