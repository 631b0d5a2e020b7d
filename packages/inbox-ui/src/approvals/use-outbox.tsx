import type { Client } from '@countersign/contract';
import { notifications } from '@mantine/notifications';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { useClient } from '../api/client-context.js';
import { keys } from '../api/keys.js';
import { loadAgain } from '../api/load-again.js';
import { newKey } from '../api/new-key.js';
import { actOf, DecisionOutbox, oneLine, type OutboxClock, type OutboxEntry } from '../inbox/index.js';
import { texts } from '../texts/index.js';

const t = texts.approvals.outbox;

/** One for each session: decisions on their way outlive the page that they were made on. */
const outboxes = new WeakMap<Client, DecisionOutbox>();

const clock: OutboxClock = {
  now: () => Date.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

export interface Outbox {
  readonly outbox: DecisionOutbox;
  readonly entries: readonly OutboxEntry[];
}

/** The decisions of the session that are on their way. `SessionOutbox` shows them on every page. */
export function useOutbox(): Outbox {
  const client = useClient();
  const queries = useQueryClient();
  const outbox = outboxOf(client, queries);
  const entries = useSyncExternalStore(outbox.subscribe, outbox.entries);
  return { outbox, entries };
}

function outboxOf(client: Client, queries: QueryClient): DecisionOutbox {
  const found = outboxes.get(client);
  if (found !== undefined) return found;
  const outbox = new DecisionOutbox({
    send: (approvalId, body, idempotencyKey) => client.decideApproval({ approvalId, body }, { idempotencyKey }),
    onCounted: ({ approval: { approvalId, title }, draft }, now) => {
      queries.setQueryData(keys.approval(now.approvalId), now);
      refresh(queries, approvalId);
      const named = oneLine(title, 80);
      const isReopened = draft.editedArguments !== undefined && now.status === 'pending';
      notifications.show({ message: isReopened ? t.argumentsChanged(named) : t.counted(t.doing[actOf(draft)], named) });
    },
    onNotCounted: ({ approval: { approvalId } }) => refresh(queries, approvalId),
    newKey,
    clock,
  });
  outboxes.set(client, outbox);
  return outbox;
}

function refresh(queries: QueryClient, approvalId: string): void {
  void loadAgain(queries, keys.approval(approvalId));
  void loadAgain(queries, ['approvals']);
}
