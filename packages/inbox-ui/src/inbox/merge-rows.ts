import type { InboxItem, Page } from '@countersign/contract';
import { compareByUrgency } from './inbox-sections.js';

/** A list of the inbox: the filter by which it was loaded. */
export interface InboxListFilter {
  readonly inbox?: 'mine' | 'others' | 'decided';
  readonly status?: InboxItem['status'] | 'all';
  readonly sort?: 'urgency' | 'newest';
}

/** A page as it was loaded, with the rows that have changed since. */
export interface LoadedPage extends Page<InboxItem> {
  /** The page as the server returned it, if it has changed since. */
  readonly original?: { readonly last: InboxItem | undefined; readonly length: number };
}

/**
 * Updates the loaded pages of a list with rows that have changed, so that the list need not be loaded again.
 *
 * @param changedIds the approvals that have changed
 * @param found those of them that match the search of the list, in their current state
 * @returns `undefined` if the list must be loaded again: less than half of the loaded rows remain although the server has
 *   more, so that its count would shrink to nothing
 */
export function mergeRows(
  pages: readonly LoadedPage[],
  filter: InboxListFilter,
  changedIds: ReadonlySet<string>,
  found: readonly InboxItem[],
): LoadedPage[] | undefined {
  const kept = pages.map((page): LoadedPage => {
    const { items, original = { last: items.at(-1), length: items.length } } = page;
    return { ...page, items: items.filter(({ approvalId }) => !changedIds.has(approvalId)), original };
  });
  const isComplete = (pages.at(-1)?.nextCursor ?? null) === null;
  // The next page starts after the last row that the server returned, even if that row is gone.
  const end = kept.findLast(({ original }) => original?.last !== undefined)?.original?.last;
  const compare = filter.sort === 'urgency' ? compareByUrgency : compareByAge;
  const added = found.filter(
    (item) => belongsToList(item, filter) && (isComplete || (end !== undefined && compare(item, end) <= 0)),
  );
  // The order within the loaded rows does not matter: the list sorts them.
  const merged = kept.map((page, index) => (index === 0 ? { ...page, items: [...added, ...page.items] } : page));
  const count = merged.reduce((sum, { items }) => sum + items.length, 0);
  const loadedCount = merged.reduce((sum, { original }) => sum + (original?.length ?? 0), 0);
  return !isComplete && count < loadedCount / 2 ? undefined : merged;
}

/** Newest first. Ids of approvals are UUIDs of version 7, which start with the time. */
function compareByAge(one: InboxItem, other: InboxItem): number {
  return one.approvalId > other.approvalId ? -1 : one.approvalId < other.approvalId ? 1 : 0;
}

function belongsToList({ status, canDecide, votedByCaller }: InboxItem, filter: InboxListFilter): boolean {
  switch (filter.inbox) {
    case 'mine':
      return status === 'pending' && canDecide.allowed;
    case 'others':
      return status === 'pending' && !canDecide.allowed;
    case 'decided':
      return votedByCaller;
    case undefined:
      return filter.status === 'all' || status === (filter.status ?? 'pending');
  }
}
