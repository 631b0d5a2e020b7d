import type { InboxRow } from './inbox-sections.js';

/**
 * The row that `j` (1) or `k` (-1) goes to. An approval that was decided moves to another part of the list: then the next one
 * is what has taken its place, so that who works through a list goes on where they were.
 *
 * @param current the approval that is shown, or is about to be
 * @param place where it was when it was gone to
 * @returns the index of a row; -1 where there is none
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
