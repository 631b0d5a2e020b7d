import { leaveOutNotes, toElementPosition, type Span } from './leave-out-notes.js';
import type { VisiblePart } from './seen-evidence.js';

/**
 * Returns the part of an element's content that is in view; `undefined` if the page is hidden or covered by a modal
 * dialog. Notes (`data-note`) are not content: other users write them, so their height must not change what counts as
 * seen.
 *
 * @param hidden elements in place of content that is not displayed: the visible part ends above the first one in view
 */
export function measureVisiblePart(element: HTMLElement, hidden: Iterable<Element> = []): VisiblePart | undefined {
  if (document.visibilityState !== 'visible' || document.querySelector('[aria-modal="true"]') !== null)
    return undefined;
  const bounds = element.getBoundingClientRect();
  let [top, bottom] = [Math.max(bounds.top, 0), Math.min(bounds.bottom, window.innerHeight)];
  for (let ancestor = element.parentElement; ancestor !== null; ancestor = ancestor.parentElement) {
    if (getComputedStyle(ancestor).overflowY === 'visible') continue;
    const containerBounds = ancestor.getBoundingClientRect();
    [top, bottom] = [Math.max(top, containerBounds.top), Math.min(bottom, containerBounds.bottom)];
  }
  for (const each of hidden) {
    const hiddenBounds = each.getBoundingClientRect();
    if (hiddenBounds.bottom > top) bottom = Math.min(bottom, hiddenBounds.top);
  }
  return leaveOutNotes(
    { top: top - bounds.top, bottom: bottom - bounds.top, height: bounds.height },
    measureNotes(element),
  );
}

/** Returns the position in the window of a position in an element's content, in CSS pixels. */
export function findWindowPosition(element: HTMLElement, contentPosition: number): number {
  return element.getBoundingClientRect().top + toElementPosition(contentPosition, measureNotes(element));
}

/** Returns the notes that add to the height of an element. */
function measureNotes(element: HTMLElement): Span[] {
  const { top } = element.getBoundingClientRect();
  return [...element.querySelectorAll<HTMLElement>('[data-note]')].flatMap((note) => {
    if (isInScrolledBox(note, element)) return [];
    const bounds = note.getBoundingClientRect();
    return [{ top: bounds.top - top, bottom: bounds.bottom - top }];
  });
}

/** Returns whether a note is within a box that scrolls within an element: then the height of the box is its maximum. */
function isInScrolledBox(note: HTMLElement, element: HTMLElement): boolean {
  for (let box = note.parentElement; box !== null && box !== element; box = box.parentElement)
    if (box.scrollHeight > box.clientHeight && getComputedStyle(box).overflowY !== 'visible') return true;
  return false;
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
 * Calls a function whenever the visible part of an element may have changed, or elements in it were added, removed or
 * marked.
 *
 * @param marks the attributes that mark elements
 * @returns a function that ends this
 */
export function observeVisibility(element: Element, marks: readonly string[], measure: () => void): () => void {
  const observer = new ResizeObserver(measure);
  observer.observe(element);
  const mutations = new MutationObserver(measure);
  mutations.observe(element, { subtree: true, childList: true, attributes: true, attributeFilter: [...marks] });
  // Listens in the capture phase, because scroll events do not bubble. A closing dialog returns the focus.
  const events = ['scroll', 'focusin', 'visibilitychange'] as const;
  for (const each of events) document.addEventListener(each, measure, { capture: true, passive: true });
  window.addEventListener('resize', measure);
  return () => {
    observer.disconnect();
    mutations.disconnect();
    for (const each of events) document.removeEventListener(each, measure, { capture: true });
    window.removeEventListener('resize', measure);
  };
}
