import type { InboxRow } from './inbox-sections.js';

/**
 * Returns the row that `j` (1) or `k` (-1) moves to. A decided approval moves to another section: then the next row is
 * the one that took its position, so that users who work through the list continue where they were.
 *
 * @param current the approval that is displayed or about to be
 * @param place its index when it was opened
 * @returns the index of a row; -1 if there is none
 */
export function moveFrom(rows: readonly InboxRow[], current: string | undefined, place: number, by: 1 | -1): number {
  const items = rows.flatMap(({ kind }, index) => (kind === 'item' ? [index] : []));
  const at = rows.findIndex(({ kind, key }) => kind === 'item' && key === current);
  const moved = place >= 0 && at !== place && sectionAt(rows, at) !== sectionAt(rows, Math.min(place, rows.length - 1));
  const from = at < 0 || moved ? (by === 1 ? Math.max(place, 0) - 1 : Math.max(place, 0)) : at;
  return (
    (by === 1 ? items.find((index) => index > from) : items.filter((index) => index < from).at(-1)) ??
    items.find((index) => index === at) ??
    items[0] ??
    -1
  );
}

function sectionAt(rows: readonly InboxRow[], index: number): string | undefined {
  const row = rows[index];
  return row === undefined ? undefined : row.kind === 'item' ? row.section : row.section.id;
}
