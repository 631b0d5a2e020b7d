import type { InboxRow } from './inbox-sections.js';

/**
 * Finds the row that `j` (1) or `k` (-1) moves to. A decided approval moves to another section. The row that takes its
 * position is then the next row, so that users who work through the list skip none.
 *
 * @param currentId id of the approval that is displayed or loading
 * @param previousIndex index of that approval when it was opened
 * @returns the index of a row; -1 if there is none
 */
export function findRowToMoveTo(
  rows: readonly InboxRow[],
  currentId: string | undefined,
  previousIndex: number,
  step: 1 | -1,
): number {
  const items = rows.flatMap(({ kind }, index) => (kind === 'item' ? [index] : []));
  const currentIndex = rows.findIndex(({ kind, key }) => kind === 'item' && key === currentId);
  const hasLeftSection =
    previousIndex >= 0 &&
    currentIndex !== previousIndex &&
    sectionAt(rows, currentIndex) !== sectionAt(rows, Math.min(previousIndex, rows.length - 1));
  const startIndex =
    currentIndex < 0 || hasLeftSection
      ? step === 1
        ? Math.max(previousIndex, 0) - 1
        : Math.max(previousIndex, 0)
      : currentIndex;
  return (
    (step === 1 ? items.find((index) => index > startIndex) : items.filter((index) => index < startIndex).at(-1)) ??
    items.find((index) => index === currentIndex) ??
    items[0] ??
    -1
  );
}

function sectionAt(rows: readonly InboxRow[], index: number): string | undefined {
  const row = rows[index];
  return row === undefined ? undefined : row.kind === 'item' ? row.section : row.section.id;
}
