import type { Approval, Client } from '@countersign/contract';
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useClient } from '../api/client-context.js';
import { getPrefetchedApprovals } from '../api/prefetched-approvals.js';
import { queryKeys } from '../api/query-keys.js';

/** Maximum number of earlier rounds that are loaded. */
const MAX_EARLIER_ROUNDS = 20;

const NO_ROUNDS: readonly Approval[] = Object.freeze([]);

export interface ApprovalWithRounds {
  readonly query: UseQueryResult<Approval>;
  /** Earlier rounds, newest first. */
  readonly earlierRounds: readonly Approval[];
  /** The next round, if the approval was reopened. */
  readonly successor: Approval | undefined;
}

/** Returns an approval with its earlier and later rounds. Until it is loaded, the one loaded in advance is returned. */
export function useApproval(approvalId: string): ApprovalWithRounds {
  const client = useClient();
  const queryClient = useQueryClient();
  const query = useQuery({
    queryKey: queryKeys.approval(approvalId),
    queryFn: ({ signal }) => client.getApproval({ approvalId }, { signal }),
    placeholderData: getPrefetchedApprovals(client).get(approvalId),
  });
  const previousId = query.data?.previousApprovalId ?? null;
  const earlierQuery = useQuery({
    queryKey: ['earlier-rounds', previousId],
    queryFn: () => loadEarlierRounds(client, previousId),
    enabled: previousId !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { status, runId } = query.data ?? {};
  const successorQuery = useQuery({
    queryKey: queryKeys.approvals({ after: approvalId }),
    queryFn: async ({ signal }) => {
      const { items } = await client.listApprovals({ runId: runId ?? '', status: 'all', limit: 200 }, { signal });
      const found = items.find(({ previousApprovalId }) => previousApprovalId === approvalId) ?? null;
      // Stale immediately: the approval to decide on is always loaded individually, not taken from a list.
      if (found !== null) queryClient.setQueryData(queryKeys.approval(found.approvalId), found, { updatedAt: 0 });
      return found;
    },
    enabled: runId !== undefined && (status === 'withdrawn' || status === 'changes_requested'),
  });
  return { query, earlierRounds: earlierQuery.data ?? NO_ROUNDS, successor: successorQuery.data ?? undefined };
}

async function loadEarlierRounds(client: Client, newestId: string | null): Promise<Approval[]> {
  const rounds: Approval[] = [];
  for (let id = newestId; id !== null && rounds.length < MAX_EARLIER_ROUNDS;) {
    const approval = await client.getApproval({ approvalId: id });
    rounds.push(approval);
    id = approval.previousApprovalId;
  }
  return rounds;
}
