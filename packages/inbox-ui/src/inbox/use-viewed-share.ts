import { useEffect, useRef, type RefObject } from 'react';
import { growViewedShare, countsAsOpened, type VisiblePart } from './seen-evidence.js';

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
    const observer = new ResizeObserver(measure);
    observer.observe(target);
    // Listens in the capture phase, because scroll events do not bubble. A closing dialog returns the focus.
    const events = ['scroll', 'focusin', 'visibilitychange'] as const;
    for (const each of events) document.addEventListener(each, measure, { capture: true, passive: true });
    window.addEventListener('resize', measure);
    return () => {
      observer.disconnect();
      for (const each of events) document.removeEventListener(each, measure, { capture: true });
      window.removeEventListener('resize', measure);
    };
  }, []);
  return element;
}

/** Returns the part of an element that is in view; `undefined` if the page is hidden or covered by a modal dialog. */
export function measureVisiblePart(element: HTMLElement): VisiblePart | undefined {
  if (document.visibilityState !== 'visible' || document.querySelector('[aria-modal="true"]') !== null)
    return undefined;
  const bounds = element.getBoundingClientRect();
  let [top, bottom] = [Math.max(bounds.top, 0), Math.min(bounds.bottom, window.innerHeight)];
  for (let ancestor = element.parentElement; ancestor !== null; ancestor = ancestor.parentElement) {
    if (getComputedStyle(ancestor).overflowY === 'visible') continue;
    const containerBounds = ancestor.getBoundingClientRect();
    [top, bottom] = [Math.max(top, containerBounds.top), Math.min(bottom, containerBounds.bottom)];
  }
  return { top: top - bounds.top, bottom: bottom - bounds.top, height: bounds.height };
}
