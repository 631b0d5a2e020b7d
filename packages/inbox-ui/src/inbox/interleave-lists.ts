import { compareByUrgency } from './inbox-sections.js';
import type { ListedItem } from './listed-item.js';

/** The pages of a list that are loaded so far, in order of urgency. */
export interface LoadedList {
  readonly items: readonly ListedItem[];
  /** Whether there are further pages. */
  readonly hasMore: boolean;
}

/**
 * Returns the items of several lists in one order. Items after the end of a list that has more pages are left out until
 * these are loaded: their items may come first, and would appear above what the user is looking at.
 */
export function interleaveLists(lists: readonly LoadedList[]): ListedItem[] {
  const ends = lists.flatMap(({ items, hasMore }) => (hasMore ? [...items].sort(compareByUrgency).slice(-1) : []));
  return lists
    .flatMap(({ items }) => items)
    .filter((item) => ends.every((end) => compareByUrgency(item, end) <= 0))
    .sort(compareByUrgency);
}
