import { useEffect, useRef, type RefObject } from 'react';
import { growViewedShare, countsAsOpened, limitShare } from './seen-evidence.js';
import { measureVisiblePart, measureVisibleWidth, observeVisibility } from './visible-part.js';

/**
 * Measures the share of an element, from its top, that has been in view: inside the window, not clipped by a scroll
 * container, and not covered by a modal dialog. Content that exceeds the width (`data-exceeds-width`) counts as shown
 * completely, or as opened, only after its right edge was in view.
 *
 * @param previousShare share that was in view earlier: 0 to 1
 * @param onChange called each time the share grows; `isOpened` is true as soon as the element counts as opened
 */
export function useViewedShare(
  previousShare: number,
  onChange: (viewedShare: number, isOpened: boolean) => void,
): RefObject<HTMLDivElement | null> {
  const element = useRef<HTMLDivElement>(null);
  const latestOnChange = useRef(onChange);
  latestOnChange.current = onChange;
  const initialShare = useRef(previousShare);
  useEffect(() => {
    const { current: target } = element;
    if (target === null) return;
    let viewedShare = initialShare.current;
    let reported = { share: viewedShare, isOpened: false };
    let seenWidth = 0;
    const measure = (): void => {
      const part = measureVisiblePart(target);
      // Folded lines are neither seen nor skipped: what follows counts once they are unfolded.
      if (part === undefined || target.querySelector('[data-folded]') !== null) return;
      viewedShare = growViewedShare(viewedShare, part);
      const wideContent = target.querySelector<HTMLElement>('[data-exceeds-width]');
      if (wideContent !== null) seenWidth = Math.max(seenWidth, measureVisibleWidth(wideContent));
      const isWidthSeen = wideContent === null || seenWidth >= wideContent.offsetWidth - 1;
      const share = isWidthSeen ? viewedShare : limitShare(viewedShare);
      const isOpened = isWidthSeen && countsAsOpened(share, part.height);
      if (share === reported.share && isOpened === reported.isOpened) return;
      reported = { share, isOpened };
      latestOnChange.current(share, isOpened);
    };
    return observeVisibility(target, measure);
  }, []);
  return element;
}
