import type { InboxItem } from '@countersign/contract';
import { useEffect } from 'react';
import { useClient } from '../api/client-context.js';
import { getPrefetchedApprovals } from '../api/prefetched-approvals.js';
import { loadApprovals } from './load-approvals.js';

/** Number of approvals after the displayed one that are loaded together. */
const LOADED_AHEAD = 20;

/**
 * Loads the approvals that the user is about to open. They are displayed immediately when they are opened, and loaded
 * individually then, because a decision is never based on what was loaded in advance.
 *
 * @param items the rows of the list, in order
 * @param current id of the displayed approval
 */
export function usePrefetchedApprovals(items: readonly InboxItem[], current: string | undefined): void {
  const client = useClient();
  useEffect(() => {
    const next = items.findIndex(({ approvalId }) => approvalId === current) + 1;
    void getPrefetchedApprovals(client).prefetch(items.slice(next, next + LOADED_AHEAD), (approvalIds) =>
      loadApprovals(client, approvalIds),
    );
  }, [client, items, current]);
}
