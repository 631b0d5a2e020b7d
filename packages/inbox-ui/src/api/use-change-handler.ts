import type { ChangeMessage } from '@countersign/contract';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useClient } from './client-context.js';
import { reportCommentChange } from './comment-changes.js';
import { CHANGED_ROWS, changesRows, COMMENT, ERASURE, findStaleQueries } from './find-stale-queries.js';
import { getInboxUpdater } from './inbox-updater.js';
import { getPrefetchedApprovals } from './prefetched-approvals.js';
import { Refresher } from './refresher.js';
import { reloadQueries } from './reload-queries.js';

/** A vote is followed by further changes of its approval within this time; they are loaded together. */
const COLLECTION_MS = 25;
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
      if (changesRows(type)) inbox.addRun(runId);
      if (type === COMMENT || type === ERASURE) reportCommentChange(client, message.change);
      if (type === ERASURE) {
        for (const name of ['approval', 'comments']) queryClient.removeQueries({ queryKey: [name], type: 'inactive' });
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
