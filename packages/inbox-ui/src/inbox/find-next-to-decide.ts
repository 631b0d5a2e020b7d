import { compareByUrgency, type InboxRow } from './inbox-sections.js';
import { getItemId, type ListedItem } from './listed-item.js';

/**
 * Finds the approval or question that the user handles next: the nearest one below the one that is done, or else the
 * first one. It need not be visible: the section may be collapsed.
 *
 * @param done the approval that the user has voted on, or the question that the user has answered. It may have left the
 *   list.
 * @param isWaiting returns whether the user can vote on a listed approval, or answer a listed question, now
 */
export function findNextToDecide(
  rows: readonly InboxRow[],
  done: ListedItem,
  isWaiting: (item: ListedItem) => boolean,
): ListedItem | undefined {
  const items = rows.flatMap((row) => (row.kind === 'section' && row.section.id === 'mine' ? row.section.items : []));
  const waiting = items.filter((item) => getItemId(item) !== getItemId(done) && isWaiting(item));
  return waiting.find((item) => compareByUrgency(item, done) > 0) ?? waiting[0];
}
