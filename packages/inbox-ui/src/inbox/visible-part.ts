import type { VisiblePart } from './seen-evidence.js';

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

/** Returns the end of the part of an element that is in view, in CSS pixels from its left edge. */
export function measureVisibleWidth(element: HTMLElement): number {
  let right = window.innerWidth;
  for (let ancestor = element.parentElement; ancestor !== null; ancestor = ancestor.parentElement) {
    if (getComputedStyle(ancestor).overflowX === 'visible') continue;
    right = Math.min(right, ancestor.getBoundingClientRect().right);
  }
  return right - element.getBoundingClientRect().left;
}

/**
 * Calls a function whenever the visible part of an element may have changed.
 *
 * @returns a function that ends this
 */
export function observeVisibility(element: Element, measure: () => void): () => void {
  const observer = new ResizeObserver(measure);
  observer.observe(element);
  // Listens in the capture phase, because scroll events do not bubble. A closing dialog returns the focus.
  const events = ['scroll', 'focusin', 'visibilitychange'] as const;
  for (const each of events) document.addEventListener(each, measure, { capture: true, passive: true });
  window.addEventListener('resize', measure);
  return () => {
    observer.disconnect();
    for (const each of events) document.removeEventListener(each, measure, { capture: true });
    window.removeEventListener('resize', measure);
  };
}
