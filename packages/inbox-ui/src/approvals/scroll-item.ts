/** Part of the previous screen that stays in view, so that readers find their line again, in px. */
const OVERLAP_PX = 48;

/**
 * Scrolls the displayed approval or question by one screen, and does not move the focus.
 *
 * @param by 1: down, -1: up
 */
export function scrollItem(by: 1 | -1): void {
  const item = document.querySelector('.cs-decision-body, .cs-question');
  item?.scrollBy({ top: by * Math.max(OVERLAP_PX, item.clientHeight - OVERLAP_PX) });
}

/**
 * Returns whether keys that scroll apply to the displayed item. In other scrollable parts, such as evidence, the browser
 * scrolls what has the focus.
 */
export function isScrolledByKeys(): boolean {
  const { activeElement } = document;
  if (activeElement === null || activeElement.matches('body, main')) return true;
  return activeElement.closest('.cs-inbox-list') !== null;
}
