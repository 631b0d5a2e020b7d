import type { InboxRow } from './inbox-sections.js';
import { getItemId, type ListedItem } from './listed-item.js';

/**
 * Finds the approval or question that the user handles next: the nearest one below the one that is done, or else the
 * first one. It need not be visible: the section may be collapsed.
 *
 * @param doneId id of the approval that the user has voted on, or of the question that the user has answered
 * @param isWaiting returns whether the user can vote on a listed approval, or answer a listed question, now
 */
export function findNextToDecide(
  rows: readonly InboxRow[],
  doneId: string,
  isWaiting: (item: ListedItem) => boolean,
): ListedItem | undefined {
  const items = rows.flatMap((row) => (row.kind === 'section' && row.section.id === 'mine' ? row.section.items : []));
  const doneIndex = items.findIndex((item) => getItemId(item) === doneId);
  return [...items.slice(doneIndex + 1), ...items.slice(0, doneIndex + 1)].find(
    (item) => getItemId(item) !== doneId && isWaiting(item),
  );
}
