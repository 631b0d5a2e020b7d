import { growViewedShare, type VisiblePart } from './seen-evidence.js';

/** How much of a view was seen in one layout: positions in another layout are not comparable. */
export interface ViewedLayout {
  /** Size of the content, in CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** Share that was in view, from the top: 0 to 1. */
  readonly share: number;
  /** End of the part that was in view, in CSS pixels from the left edge, if the content exceeds the width. */
  readonly seenWidth: number;
}

/** The layouts in which a view was seen, the latest first. */
export type ViewedLayouts = readonly ViewedLayout[];

/** Earlier layouts are kept, so that users who resize the window, and undo this, need not start again. */
const MAX_LAYOUTS = 12;

/**
 * Adds a visible part to its layout, which becomes the first one. In a new layout, nothing was seen yet: the share of
 * another one would be of other content.
 *
 * @param width width of the content, in CSS pixels
 * @param visibleWidth end of the visible part, in CSS pixels from the left edge
 * @returns the same layouts if nothing changes
 */
export function growViewedLayouts(
  layouts: ViewedLayouts,
  part: VisiblePart,
  width: number,
  visibleWidth: number,
): ViewedLayouts {
  if (part.height <= 0) return layouts;
  // Tolerates rounding errors on scaled pages.
  const known = layouts.find((each) => Math.abs(each.width - width) <= 1 && Math.abs(each.height - part.height) <= 1);
  const before = known ?? { width, height: part.height, share: 0, seenWidth: 0 };
  const share = growViewedShare(before.share, part);
  const seenWidth = Math.max(before.seenWidth, visibleWidth);
  if (before === layouts[0] && share === before.share && seenWidth === before.seenWidth) return layouts;
  const others = layouts.filter((each) => each !== known);
  return [{ ...before, share, seenWidth }, ...others].slice(0, MAX_LAYOUTS);
}
