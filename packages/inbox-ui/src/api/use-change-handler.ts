import type { Change, ChangeMessage } from '@countersign/contract';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useClient } from './client-context.js';
import { getInboxUpdater } from './inbox-updater.js';
import { getPrefetchedApprovals } from './prefetched-approvals.js';
import { INBOX_KEY } from './query-keys.js';
import { Refresher } from './refresher.js';
import { reloadQueries } from './reload-queries.js';

const LIST_PAUSE_MS = 1_000;
/** Maximum pause between refreshes of the inbox. It is short, because users wait for their approvals and questions. */
const INBOX_PAUSE_MS = 150;
const RUN_PAUSE_MS = 50;
/** A vote is followed by further changes of its approval within this time; they are loaded together. */
const COLLECTION_MS = 25;
/** Key of the rows of the inbox that have changed. */
const CHANGED_ROWS = 'changed-rows';
/** Changes of a run that change no approval, except those that are reported as changes of the approval. */
const UNRELATED_TO_APPROVALS: ReadonlySet<string> = new Set(['run.started', 'run.completed']);
const ERASURE = 'personal_data.erased';
/** Changes by which a person contributes to a run, and may no longer vote on its approvals. */
const CONTRIBUTIONS: ReadonlySet<string> = new Set([
  'artifact.created',
  'contributors.added',
  'message.received',
  'question.answered',
]);

/** Returns a function that updates the cached data after a message of the change feed. */
export function useChangeHandler(): (message: ChangeMessage) => void {
  const queryClient = useQueryClient();
  const client = useClient();
  return useMemo(() => {
    const inbox = getInboxUpdater(queryClient, client);
    const refresher = new Refresher((key) =>
      key[0] === CHANGED_ROWS ? collectChanges().then(() => inbox.update()) : reloadQueries(queryClient, key),
    );
    return (message) => {
      if (message.type === 'reset') {
        void reloadQueries(queryClient);
        return;
      }
      const { type, runId, data } = message.change;
      if (typeof data['approvalId'] === 'string') inbox.add(data['approvalId']);
      if (changesVoters(type)) inbox.addRun(runId);
      if (type === ERASURE) {
        queryClient.removeQueries({ queryKey: ['approval'], type: 'inactive' });
        getPrefetchedApprovals(client).clear();
        resetEvidence(queryClient, runId);
      }
      for (const { key, maxPauseMs } of findStaleQueries(message.change)) refresher.invalidate(key, maxPauseMs);
    };
  }, [queryClient, client]);
}

/**
 * Forgets the evidence of a run, and loads it again if it is displayed. `resetQueries` would not load it, because it is
 * static.
 */
function resetEvidence(queryClient: QueryClient, runId: string): void {
  for (const query of queryClient.getQueryCache().findAll({ queryKey: ['run-evidence', runId] })) {
    query.reset();
    // The page shows the error.
    if (query.isActive()) query.fetch().catch(() => undefined);
  }
}

function collectChanges(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, COLLECTION_MS));
}

/** Returns whether a change may affect who may decide the approvals of its run. */
function changesVoters(type: string): boolean {
  return type.startsWith('approval.') || CONTRIBUTIONS.has(type);
}

/** Returns the query keys that a change invalidates. */
function findStaleQueries({
  type,
  runId,
  parentRunId,
  data,
}: Change): readonly { key: readonly unknown[]; maxPauseMs: number }[] {
  const approvalId = data['approvalId'];
  const changesRun = type === ERASURE || (type.startsWith('run.') && !UNRELATED_TO_APPROVALS.has(type));
  return [
    { key: ['run', runId], maxPauseMs: RUN_PAUSE_MS },
    ...(parentRunId === null ? [] : [{ key: ['run', parentRunId], maxPauseMs: LIST_PAUSE_MS }]),
    { key: ['runs'], maxPauseMs: LIST_PAUSE_MS },
    { key: ['policy-decisions'], maxPauseMs: 2 * LIST_PAUSE_MS },
    ...(type.startsWith('approval.') || changesRun ? [{ key: ['approvals'], maxPauseMs: INBOX_PAUSE_MS }] : []),
    ...(changesVoters(type)
      ? [
          { key: [CHANGED_ROWS], maxPauseMs: INBOX_PAUSE_MS },
          { key: ['inbox-counts'], maxPauseMs: 5 * LIST_PAUSE_MS },
          { key: ['inbox-found'], maxPauseMs: LIST_PAUSE_MS },
        ]
      : []),
    ...(typeof approvalId === 'string' ? [{ key: ['approval', approvalId], maxPauseMs: RUN_PAUSE_MS }] : []),
    ...(type === ERASURE ? [{ key: ['approval'], maxPauseMs: RUN_PAUSE_MS }] : []),
    ...(changesRun ? [{ key: INBOX_KEY, maxPauseMs: LIST_PAUSE_MS }] : []),
    ...(type.startsWith('question.') || changesRun ? [{ key: ['questions'], maxPauseMs: INBOX_PAUSE_MS }] : []),
    ...(type.startsWith('step.') ? [] : [{ key: ['workflow'], maxPauseMs: 5_000 }]),
  ];
}
