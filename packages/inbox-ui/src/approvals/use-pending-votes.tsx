import type { Client } from '@countersign/contract';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { useClient } from '../api/client-context.js';
import { getInboxUpdater } from '../api/inbox-updater.js';
import { queryKeys } from '../api/query-keys.js';
import { reloadQueries } from '../api/reload-queries.js';
import { newIdempotencyKey } from '../api/new-idempotency-key.js';
import { toFormAction, PendingVotes, toOneLine, type VoteClock, type PendingVote } from '../inbox/index.js';
import { texts } from '../texts/index.js';
import { statusMessages } from '../ui/status-messages.js';

const t = texts.pendingVotes;

/** One instance per session: pending votes outlive the page on which they were made. */
const pendingVotesByClient = new WeakMap<Client, PendingVotes>();

const clock: VoteClock = {
  now: () => Date.now(),
  schedule: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

export interface PendingVotesInSession {
  readonly pendingVotes: PendingVotes;
  readonly entries: readonly PendingVote[];
}

/** Returns the pending votes of the session. `SessionPendingVotes` shows them on every page. */
export function usePendingVotes(): PendingVotesInSession {
  const client = useClient();
  const queryClient = useQueryClient();
  const pendingVotes = getPendingVotes(client, queryClient);
  const entries = useSyncExternalStore(pendingVotes.subscribe, pendingVotes.entries);
  return { pendingVotes, entries };
}

function getPendingVotes(client: Client, queryClient: QueryClient): PendingVotes {
  const found = pendingVotesByClient.get(client);
  if (found !== undefined) return found;
  const inbox = getInboxUpdater(queryClient, client);
  const reloadApprovals = (...approvalIds: readonly string[]): void => {
    for (const id of approvalIds) void reloadQueries(queryClient, queryKeys.approval(id));
    inbox.add(...approvalIds);
    void inbox.update();
  };
  const pendingVotes = new PendingVotes({
    send: (approvalId, body, idempotencyKey) => client.decideApproval({ approvalId, body }, { idempotencyKey }),
    onCounted: ({ approval: { approvalId, title }, draft }, updatedApproval) => {
      if (updatedApproval === undefined) reloadApprovals(approvalId);
      else {
        queryClient.setQueryData(queryKeys.approval(updatedApproval.approvalId), updatedApproval);
        reloadApprovals(approvalId, updatedApproval.approvalId);
      }
      const shortTitle = toOneLine(title, 80);
      const isReopened = draft.editedArguments !== undefined && updatedApproval?.status === 'pending';
      statusMessages.show(
        isReopened ? t.argumentsChanged(shortTitle) : t.counted(t.inProgress[toFormAction(draft)], shortTitle),
      );
    },
    onNotCounted: ({ approval: { approvalId } }) => reloadApprovals(approvalId),
    newIdempotencyKey,
    clock,
  });
  pendingVotesByClient.set(client, pendingVotes);
  return pendingVotes;
}
