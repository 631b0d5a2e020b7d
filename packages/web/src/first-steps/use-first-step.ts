import { useClient } from '@countersign/inbox-ui/api/client-context';
import { queryKeys } from '@countersign/inbox-ui/api/query-keys';
import { usePendingVotes } from '@countersign/inbox-ui/approvals/use-pending-votes';
import { canStillCount } from '@countersign/inbox-ui/inbox/index';
import type { RunDetail } from '@countersign/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { findFirstStep, type FirstStep } from './find-first-step.js';

interface FirstStepState {
  readonly step: FirstStep;
  /** The approval of the run for which the user's last vote was sent, in this session. */
  readonly votedApprovalId: string | undefined;
}

/** Returns the next of the first steps with this run. */
export function useFirstStep(run: RunDetail): FirstStepState {
  const client = useClient();
  const { entries } = usePendingVotes();
  const filter = { runId: run.runId, status: 'pending' } as const;
  const { data } = useQuery({
    queryKey: queryKeys.approvals(filter),
    queryFn: ({ signal }) => client.listApprovals({ ...filter, limit: 1 }, { signal }),
    enabled: run.pendingApprovals > 0,
  });
  const approval = run.pendingApprovals > 0 ? data?.items[0] : undefined;
  const vote = entries.find((entry) => entry.approval.approvalId === approval?.approvalId && canStillCount(entry));
  const [votedApprovalId, setVotedApprovalId] = useState<string>();
  const sentNow = vote?.state === 'sending' ? vote.approval.approvalId : undefined;
  if (sentNow !== undefined && sentNow !== votedApprovalId) setVotedApprovalId(sentNow);
  return { step: findFirstStep(run, approval, vote !== undefined), votedApprovalId };
}
