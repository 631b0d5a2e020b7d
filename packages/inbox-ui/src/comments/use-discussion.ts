import type { Approval, ApprovalComment } from '@countersign/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { useClient } from '../api/client-context.js';
import { queryKeys } from '../api/query-keys.js';
import { texts } from '../texts/index.js';
import { statusMessages } from '../ui/status-messages.js';
import { useHasRole, useSession } from '../session/session.js';
import { useEngineSupport } from '../session/use-engine-support.js';
import type { Discussion } from './discussion.js';
import { countSeenComments, extendSeenCount, findNewComments, type EarlierVisits } from './find-last-visit.js';
import { groupThreads } from './group-threads.js';
import { loadComments } from './load-comments.js';
import type { Visit } from './visit-store.js';
import { useVisitStore } from './use-visit-store.js';

export interface DiscussionAndVisits {
  readonly discussion: Discussion;
  /** The visits of the user before the approval was opened. */
  readonly earlierVisits: EarlierVisits;
}

interface DiscussedApproval {
  readonly approval: Approval;
  readonly earlierRounds: readonly Pick<Approval, 'approvalId'>[];
  /** The next round: comments belong to the last one, because an earlier one does not show those that follow. */
  readonly successor: Pick<Approval, 'round'> | undefined;
  /** Whether cached data is displayed, which is read-only. */
  readonly isOffline: boolean;
}

/**
 * Loads the comments on an approval, and records which of them have been in view. The component that calls it displays
 * one approval only.
 */
export function useDiscussion({
  approval: { approvalId, round, requestedBy },
  earlierRounds,
  successor,
  isOffline,
}: DiscussedApproval): DiscussionAndVisits {
  const client = useClient();
  const queryClient = useQueryClient();
  const { me } = useSession();
  const mayComment = useHasRole('operator');
  const laterRound = successor === undefined ? undefined : texts.comments.laterRound(successor.round);
  const limitation = useEngineSupport().explainMissing(['approval_comments']) ?? laterRound;
  const visitStore = useVisitStore();
  const { data, isPending, error, refetch } = useQuery({
    queryKey: queryKeys.comments(approvalId),
    queryFn: ({ signal }) => loadComments(client, approvalId, signal),
  });

  // A comment stays new while the approval is displayed. To a user who has never seen it, only what is added is new.
  const [earlierVisits] = useState(visitStore.getSnapshot);
  const firstCount = useRef<number>(undefined);
  if (data !== undefined) firstCount.current ??= data.length;
  const seenIds = useRef(new Set<string>());

  const ownId = me.subject;
  const discussion = useMemo((): Discussion => {
    const comments = data ?? [];
    const roundIds = [approvalId, ...earlierRounds.map((each) => each.approvalId)];
    const countSeen = (visits: EarlierVisits, otherwise: number): number => {
      const found = findVisits(roundIds, visits);
      return found.length === 0 ? otherwise : countSeenComments(comments, found);
    };
    return {
      approvalId,
      round,
      requestedBy,
      threads: groupThreads(comments),
      state: data !== undefined ? 'loaded' : isPending ? 'loading' : 'failed',
      error,
      retry: () => void refetch(),
      newIds: findNewComments(comments, countSeen(earlierVisits, firstCount.current ?? 0), ownId),
      markSeen: (commentId) => {
        if (commentId !== undefined) seenIds.current.add(commentId);
        const seenCount = countSeen(visitStore.getSnapshot(), 0);
        const lastSeen = comments[extendSeenCount(comments, seenCount, seenIds.current, ownId) - 1];
        visitStore.record(approvalId, { lastComment: lastSeen });
      },
      canComment: mayComment && !isOffline && limitation === undefined,
      limitation,
      add: async (body, idempotencyKey) => {
        const comment = await client.commentOnApproval({ approvalId, body }, { idempotencyKey });
        const queryKey = queryKeys.comments(approvalId);
        await queryClient.cancelQueries({ queryKey });
        queryClient.setQueryData<readonly ApprovalComment[]>(queryKey, (known = []) =>
          known.some(({ commentId }) => commentId === comment.commentId) ? known : [...known, comment],
        );
        void queryClient.invalidateQueries({ queryKey });
        statusMessages.show(texts.comments.added);
      },
    };
  }, [
    approvalId,
    round,
    requestedBy,
    data,
    isPending,
    error,
    refetch,
    earlierRounds,
    earlierVisits,
    ownId,
    mayComment,
    isOffline,
    limitation,
    visitStore,
    client,
    queryClient,
  ]);
  return { discussion, earlierVisits };
}

function findVisits(approvalIds: readonly string[], visits: EarlierVisits): readonly Visit[] {
  return approvalIds.flatMap((id) => visits.get(id) ?? []);
}
