import { useEffect, useRef, type RefObject } from 'react';
import { countsAsOpened, limitShare } from './seen-evidence.js';
import { growViewedLayouts, type ViewedLayouts } from './viewed-layouts.js';
import { measureVisiblePart, measureVisibleWidth, observeVisibility } from './visible-part.js';

/** How much of a view has been in view. */
export interface ViewedPart {
  readonly layouts: ViewedLayouts;
  /** Share of the evidence: 0 to 1. */
  readonly share: number;
  /** Whether the evidence counts as opened. */
  readonly isOpened: boolean;
}

/**
 * Measures the share of a view, from its top, that has been in view: inside the window, not clipped by a scroll
 * container, and not covered by a modal dialog.
 *
 * - Content that exceeds the width (`data-exceeds-width`) counts as shown completely, or as opened, only after its right
 *   edge was in view.
 * - Nothing counts while the content is loaded, or if it cannot be displayed (`data-loading`).
 * - Content that is not displayed yet (`data-pending`) does not count, nor does what follows it.
 * - A view that displays only a part of the evidence states the share of this part (`data-max-share`).
 *
 * @param previous what was in view earlier
 * @param seenEnd is set to the end of what has been in view, in CSS pixels from the top of the content, until all has
 * @param onChange called each time more has been in view
 */
export function useViewedShare(
  previous: ViewedLayouts,
  seenEnd: RefObject<number | undefined>,
  onChange: (viewed: ViewedPart) => void,
): RefObject<HTMLDivElement | null> {
  const element = useRef<HTMLDivElement>(null);
  const latestOnChange = useRef(onChange);
  latestOnChange.current = onChange;
  const initialLayouts = useRef(previous);
  useEffect(() => {
    const { current: target } = element;
    if (target === null) return;
    let layouts = initialLayouts.current;
    let reported: ViewedPart | undefined;
    const measure = (): void => {
      const part = measureVisiblePart(target, target.querySelectorAll('[data-pending]'));
      // Folded lines are neither seen nor skipped: what follows counts once they are unfolded.
      if (part === undefined || target.querySelector('[data-folded], [data-loading]') !== null) return;
      const wideContent = target.querySelector<HTMLElement>('[data-exceeds-width]');
      const visibleWidth = wideContent === null ? 0 : measureVisibleWidth(wideContent);
      layouts = growViewedLayouts(layouts, part, target.clientWidth, visibleWidth);
      const [layout] = layouts;
      if (layout === undefined) return;
      seenEnd.current = layout.share >= 1 ? undefined : layout.share * part.height;
      const isWidthSeen = wideContent === null || layout.seenWidth >= wideContent.offsetWidth - 1;
      const shownShare = layout.share * readMaxShare(target);
      const share = isWidthSeen ? shownShare : limitShare(shownShare);
      const isOpened = isWidthSeen && countsAsOpened(layout.share, part.height);
      if (reported?.layouts === layouts && share === reported.share && isOpened === reported.isOpened) return;
      reported = { layouts, share, isOpened };
      latestOnChange.current(reported);
    };
    const marks = ['data-loading', 'data-pending', 'data-folded', 'data-max-share'];
    const endVisibility = observeVisibility(target, marks, measure);
    return () => {
      endVisibility();
      seenEnd.current = undefined;
    };
  }, [seenEnd]);
  return element;
}

/** Returns the share of the evidence that a view displays: more than 0, up to 1. */
function readMaxShare(target: HTMLElement): number {
  const share = Number(target.querySelector<HTMLElement>('[data-max-share]')?.dataset['maxShare'] ?? 1);
  return share > 0 && share <= 1 ? share : 0.01;
}
