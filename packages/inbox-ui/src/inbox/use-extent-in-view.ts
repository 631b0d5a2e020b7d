import { useEffect, useRef, type RefObject } from 'react';
import { growExtent, countsAsOpened, type VisiblePart } from './seen-evidence.js';

/**
 * Measures how much of an element has been in view, from its start: inside the window, not scrolled out of any box
 * around it, and not below a dialog.
 *
 * @param seenBefore share that was in view earlier: 0 to 1
 * @param onExtent called each time the share grows; `enough`: it counts as opened
 */
export function useExtentInView(
  seenBefore: number,
  onExtent: (extent: number, enough: boolean) => void,
): RefObject<HTMLDivElement | null> {
  const element = useRef<HTMLDivElement>(null);
  const latestOnExtent = useRef(onExtent);
  latestOnExtent.current = onExtent;
  const initialExtent = useRef(seenBefore);
  useEffect(() => {
    const { current: target } = element;
    if (target === null) return;
    let extent = initialExtent.current;
    const measure = (): void => {
      const part = measureVisiblePart(target);
      const newExtent = part === undefined ? extent : growExtent(extent, part);
      if (part === undefined || newExtent === extent) return;
      extent = newExtent;
      latestOnExtent.current(extent, countsAsOpened(extent, part.height));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(target);
    // Scroll events do not bubble, and a closing dialog returns the focus.
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

function measureVisiblePart(element: HTMLElement): VisiblePart | undefined {
  if (document.visibilityState !== 'visible' || document.querySelector('[aria-modal="true"]') !== null)
    return undefined;
  const bounds = element.getBoundingClientRect();
  let [top, bottom] = [Math.max(bounds.top, 0), Math.min(bounds.bottom, window.innerHeight)];
  for (let box = element.parentElement; box !== null; box = box.parentElement) {
    if (getComputedStyle(box).overflowY === 'visible') continue;
    const containerBounds = box.getBoundingClientRect();
    [top, bottom] = [Math.max(top, containerBounds.top), Math.min(bottom, containerBounds.bottom)];
  }
  return { top: top - bounds.top, bottom: bottom - bounds.top, height: bounds.height };
}
