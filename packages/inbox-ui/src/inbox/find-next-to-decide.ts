import type { InboxItem } from '@countersign/contract';
import type { InboxRow } from './inbox-sections.js';

/**
 * Finds the approval that the user decides next: the nearest one below the decided approval that waits for the user, or
 * else the first one. It need not be visible: the section may be collapsed.
 *
 * @param canDecide returns whether the user can vote on a listed approval now
 */
export function findNextToDecide(
  rows: readonly InboxRow[],
  decidedId: string,
  canDecide: (item: InboxItem) => boolean,
): InboxItem | undefined {
  const items = rows.flatMap((row) => (row.kind === 'section' && row.section.id === 'mine' ? row.section.items : []));
  const decidedIndex = items.findIndex(({ approvalId }) => approvalId === decidedId);
  return [...items.slice(decidedIndex + 1), ...items.slice(0, decidedIndex + 1)].find(
    (item) => item.approvalId !== decidedId && canDecide(item),
  );
}
