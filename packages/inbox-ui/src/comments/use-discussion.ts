import type { Approval, ApprovalComment } from '@countersign/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useClient } from '../api/client-context.js';
import { queryKeys } from '../api/query-keys.js';
import { useHasRole, useSession } from '../session/session.js';
import { useEngineSupport } from '../session/use-engine-support.js';
import type { Discussion } from './discussion.js';
import { findNewComments, type EarlierVisits } from './find-last-visit.js';
import { groupThreads } from './group-threads.js';
import { loadComments } from './load-comments.js';
import type { Visit } from './visit-store.js';
import { useVisitStore } from './use-visit-store.js';

export interface DiscussionAndVisits {
  readonly discussion: Discussion;
  /** The visits of the user before the approval was opened. */
  readonly earlierVisits: EarlierVisits;
}

/**
 * Loads the comments on an approval, and records that the user has looked at them. The component that calls it displays
 * one approval only.
 *
 * @param isOffline whether cached data is displayed, which is read-only
 */
export function useDiscussion(
  { approvalId, round, requestedBy }: Approval,
  earlierRounds: readonly Pick<Approval, 'approvalId'>[],
  isOffline: boolean,
): DiscussionAndVisits {
  const client = useClient();
  const queryClient = useQueryClient();
  const { me } = useSession();
  const mayComment = useHasRole('operator');
  const limitation = useEngineSupport().explainMissing(['approval_comments']);
  const visitStore = useVisitStore();
  const { data, isPending, error, refetch } = useQuery({
    queryKey: queryKeys.comments(approvalId),
    queryFn: ({ signal }) => loadComments(client, approvalId, signal),
  });

  // A comment stays new while the approval is displayed. To a user who has never seen it, only what is added is new.
  const [earlierVisits] = useState(visitStore.getSnapshot);
  const firstLoad = useRef<Visit>(undefined);
  if (data !== undefined) firstLoad.current ??= { lastCommentAt: data.at(-1)?.at ?? '' };
  useEffect(() => {
    if (data !== undefined) visitStore.record(approvalId, data.at(-1)?.at ?? '');
  }, [visitStore, approvalId, data]);

  const ownId = me.subject;
  const discussion = useMemo(
    (): Discussion => ({
      approvalId,
      round,
      requestedBy,
      threads: groupThreads(data ?? []),
      state: data !== undefined ? 'loaded' : isPending ? 'loading' : 'failed',
      error,
      retry: () => void refetch(),
      newIds: findNewComments(
        data ?? [],
        findVisits([approvalId, ...earlierRounds.map((each) => each.approvalId)], earlierVisits) ?? [firstLoad.current],
        ownId,
      ),
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
      },
    }),
    [
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
      client,
      queryClient,
    ],
  );
  return { discussion, earlierVisits };
}

/** Returns the visits of approvals; `undefined` if there are none. */
function findVisits(approvalIds: readonly string[], visits: EarlierVisits): readonly Visit[] | undefined {
  const found = approvalIds.flatMap((id) => visits.get(id) ?? []);
  return found.length === 0 ? undefined : found;
}
