import { useEffect, useRef, type RefObject } from 'react';
import { growViewedShare, countsAsOpened } from './seen-evidence.js';
import { measureVisiblePart, observeVisibility } from './visible-part.js';

/**
 * Measures the share of an element, from its top, that has been in view: inside the window, not clipped by a scroll
 * container, and not covered by a modal dialog.
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
    const measure = (): void => {
      const part = measureVisiblePart(target);
      const newShare = part === undefined ? viewedShare : growViewedShare(viewedShare, part);
      if (part === undefined || newShare === viewedShare) return;
      viewedShare = newShare;
      latestOnChange.current(viewedShare, countsAsOpened(viewedShare, part.height));
    };
    return observeVisibility(target, measure);
  }, []);
  return element;
}
