import type { Client } from '@countersign/contract';
import { notifications } from '@mantine/notifications';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { useClient } from '../api/client-context.js';
import { keys } from '../api/keys.js';
import { DecisionOutbox, oneLine, useInboxHost, type OutboxClock, type OutboxEntry } from '../inbox/index.js';
import { texts } from '../texts/index.js';
import { newKey } from '../api/new-key.js';

const t = texts.approvals.outbox;

/** One for each session: what is on its way outlives the page, and is found again when one comes back to it. */
const outboxes = new WeakMap<Client, { readonly outbox: DecisionOutbox; pages: number }>();

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

/**
 * The decisions of the session. Whoever leaves the page takes back what is in its grace, and is told: a decision is sent
 * only under the eyes of whoever made it. Closing the window asks first.
 */
export function useOutbox(): Outbox {
  const client = useClient();
  const queries = useQueryClient();
  const held = holdOf(client, queries);
  const { outbox } = held;
  const entries = useSyncExternalStore(outbox.subscribe, outbox.entries);
  const { lostVotes, offline = false } = useInboxHost();
  useEffect(() => {
    if (lostVotes === undefined || offline) return;
    void lostVotes.list().then(({ votes, tooOld }) => {
      outbox.restore(votes, (key) => lostVotes.forget(key));
      for (const { approval, draft } of tooOld)
        notifications.show({
          color: 'yellow',
          message: t.tooOld(t.doing[draft.decision], oneLine(approval.title, 80)),
          autoClose: false,
        });
    });
  }, [lostVotes, offline, outbox]);
  useEffect(() => {
    held.pages += 1;
    const warn = (event: BeforeUnloadEvent): void => {
      if (!outbox.busy) return;
      event.preventDefault();
      // Before Chromium 119 this alone asks.
      event.returnValue = true;
    };
    window.addEventListener('beforeunload', warn);
    return () => {
      window.removeEventListener('beforeunload', warn);
      held.pages -= 1;
      // Another address of the same page may take its place within this turn.
      setTimeout(() => held.pages === 0 && takeBackAll(outbox));
    };
  }, [held, outbox]);
  return { outbox, entries };
}

function holdOf(client: Client, queries: QueryClient) {
  const found = outboxes.get(client);
  if (found !== undefined) return found;
  const outbox = new DecisionOutbox({
    send: (approvalId, body, idempotencyKey) => client.decideApproval({ approvalId, body }, { idempotencyKey }),
    onCounted: ({ approval: { approvalId, title }, draft }, now) => {
      queries.setQueryData(keys.approval(now.approvalId), now);
      refresh(queries, approvalId);
      notifications.show({ message: t.counted(t.doing[draft.decision], oneLine(title, 80)) });
    },
    onNotCounted: ({ approval: { approvalId } }) => refresh(queries, approvalId),
    newKey,
    clock,
  });
  const held = { outbox, pages: 0 };
  outboxes.set(client, held);
  return held;
}

function refresh(queries: QueryClient, approvalId: string): void {
  void queries.invalidateQueries({ queryKey: keys.approval(approvalId) });
  void queries.invalidateQueries({ queryKey: ['approvals'] });
}

function takeBackAll(outbox: DecisionOutbox): void {
  for (let entry = outbox.undo(); entry !== undefined; entry = outbox.undo()) {
    notifications.show({ color: 'yellow', message: t.undone(oneLine(entry.approval.title, 80)), autoClose: 10_000 });
  }
}
