import { useEffect, useRef, type RefObject } from 'react';
import { extentAfter, isEnough, type PartInView } from './seen-evidence.js';

/**
 * Measures how much of an element has been in view, from its start: inside the window, not scrolled out of any box
 * around it, and not below a dialog.
 *
 * @param before share that was in view earlier: 0 to 1
 * @param onExtent called each time the share grows; `enough`: it counts as opened
 */
export function useExtentInView(
  before: number,
  onExtent: (extent: number, enough: boolean) => void,
): RefObject<HTMLDivElement | null> {
  const element = useRef<HTMLDivElement>(null);
  const tell = useRef(onExtent);
  tell.current = onExtent;
  const begun = useRef(before);
  useEffect(() => {
    const { current: shown } = element;
    if (shown === null) return;
    let extent = begun.current;
    const measure = (): void => {
      const part = partInView(shown);
      const after = part === undefined ? extent : extentAfter(extent, part);
      if (part === undefined || after === extent) return;
      extent = after;
      tell.current(extent, isEnough(extent, part.height));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(shown);
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

function partInView(element: HTMLElement): PartInView | undefined {
  if (document.visibilityState !== 'visible' || document.querySelector('[aria-modal="true"]') !== null)
    return undefined;
  const whole = element.getBoundingClientRect();
  let [top, bottom] = [Math.max(whole.top, 0), Math.min(whole.bottom, window.innerHeight)];
  for (let box = element.parentElement; box !== null; box = box.parentElement) {
    if (getComputedStyle(box).overflowY === 'visible') continue;
    const around = box.getBoundingClientRect();
    [top, bottom] = [Math.max(top, around.top), Math.min(bottom, around.bottom)];
  }
  return { top: top - whole.top, bottom: bottom - whole.top, height: whole.height };
}
