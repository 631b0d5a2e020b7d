import type { Client } from '@countersign/contract';
import { notifications } from '@mantine/notifications';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { useClient } from '../api/client-context.js';
import { keys } from '../api/keys.js';
import { loadAgain } from '../api/load-again.js';
import { newIdempotencyKey } from '../api/new-idempotency-key.js';
import { actOf, PendingVotes, oneLine, type OutboxClock, type PendingVote } from '../inbox/index.js';
import { texts } from '../texts/index.js';

const t = texts.approvals.outbox;

/** One per session: pending votes outlive the page on which they were made. */
const byClient = new WeakMap<Client, PendingVotes>();

const clock: OutboxClock = {
  now: () => Date.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

export interface PendingVotesInSession {
  readonly pendingVotes: PendingVotes;
  readonly entries: readonly PendingVote[];
}

/** Returns the votes of the session that the server has not confirmed yet. `SessionPendingVotes` shows them on every page. */
export function usePendingVotes(): PendingVotesInSession {
  const client = useClient();
  const queries = useQueryClient();
  const pendingVotes = pendingVotesOf(client, queries);
  const entries = useSyncExternalStore(pendingVotes.subscribe, pendingVotes.entries);
  return { pendingVotes, entries };
}

function pendingVotesOf(client: Client, queries: QueryClient): PendingVotes {
  const found = byClient.get(client);
  if (found !== undefined) return found;
  const pendingVotes = new PendingVotes({
    send: (approvalId, body, idempotencyKey) => client.decideApproval({ approvalId, body }, { idempotencyKey }),
    onCounted: ({ approval: { approvalId, title }, draft }, now) => {
      queries.setQueryData(keys.approval(now.approvalId), now);
      refresh(queries, approvalId);
      const named = oneLine(title, 80);
      const isReopened = draft.editedArguments !== undefined && now.status === 'pending';
      notifications.show({ message: isReopened ? t.argumentsChanged(named) : t.counted(t.doing[actOf(draft)], named) });
    },
    onNotCounted: ({ approval: { approvalId } }) => refresh(queries, approvalId),
    newIdempotencyKey,
    clock,
  });
  byClient.set(client, pendingVotes);
  return pendingVotes;
}

function refresh(queries: QueryClient, approvalId: string): void {
  void loadAgain(queries, keys.approval(approvalId));
  void loadAgain(queries, ['approvals']);
}
