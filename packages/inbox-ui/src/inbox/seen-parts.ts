import type { VisiblePart } from './seen-evidence.js';

/** How much of an element has been in view, in CSS pixels. */
export interface SeenPart {
  /** End of the seen beginning, from the top of the element. */
  readonly end: number;
  /** Size of the element when it was seen. */
  readonly height: number;
  readonly width: number;
}

/**
 * Extends the seen beginning of an element. A part that was skipped and everything below it do not count. If the element
 * grows because the user unfolds it, its beginning stays in place, and so does the end that was seen. If its layout
 * changes, the same share of it counts as seen.
 */
export function extendSeenPart(
  before: SeenPart | undefined,
  { top, bottom, height }: VisiblePart,
  width: number,
): SeenPart {
  const hasNewLayout = before !== undefined && (before.width !== width || height < before.height);
  const seenEnd =
    before === undefined ? 0 : hasNewLayout && before.height > 0 ? (before.end * height) / before.height : before.end;
  // Tolerates rounding errors on scaled pages.
  const isContiguous = bottom > top && top <= seenEnd + 1;
  return { end: isContiguous ? Math.max(seenEnd, bottom) : seenEnd, height, width };
}
