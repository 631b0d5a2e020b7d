import type { VisiblePart } from './seen-evidence.js';

/**
 * Returns the end of the seen beginning of an element, in CSS pixels from its top. A part that was skipped and
 * everything below it do not count.
 */
export function extendSeenEnd(seenEnd: number, { top, bottom }: VisiblePart): number {
  // Tolerates rounding errors on scaled pages.
  return bottom <= top || top > seenEnd + 1 ? seenEnd : Math.max(seenEnd, bottom);
}
