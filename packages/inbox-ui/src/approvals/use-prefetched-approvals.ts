import { useEffect } from 'react';
import { useClient } from '../api/client-context.js';
import { getPrefetchedApprovals } from '../api/prefetched-approvals.js';
import { getItemId, isQuestion, type ListedItem } from '../inbox/index.js';
import { loadApprovals } from './load-approvals.js';

/** Number of approvals after the displayed item that are loaded together. */
const LOADED_AHEAD = 20;

/**
 * Loads the approvals that the user is about to open. They are displayed immediately when they are opened, and loaded
 * individually then, because a decision is never based on what was loaded in advance.
 *
 * @param items the rows of the list, in order
 * @param current id of the displayed item
 */
export function usePrefetchedApprovals(items: readonly ListedItem[], current: string | undefined): void {
  const client = useClient();
  useEffect(() => {
    const next = items.findIndex((item) => getItemId(item) === current) + 1;
    const approvals = items.slice(next).flatMap((item) => (isQuestion(item) ? [] : [item]));
    void getPrefetchedApprovals(client).prefetch(approvals.slice(0, LOADED_AHEAD), (approvalIds) =>
      loadApprovals(client, approvalIds),
    );
  }, [client, items, current]);
}
