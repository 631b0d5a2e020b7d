import type { Locator } from 'playwright-core';

/** 1280 × 800 pixels at 200 % (WCAG 2.2, 1.4.4). */
export const HALF_VIEWPORT = Object.freeze({ width: 640, height: 400 });

/**
 * Scrolls to each control of a part of the page, and returns those that are then not completely in sight: cut off by
 * the window or by a scrolling element, covered by something else, or with a label that is cut off.
 */
export function findUnusableControls(root: Locator): Promise<string[]> {
  return root.evaluate(async (rootElement) => {
    const selector = 'button, a[href], input, select, textarea, [role="option"]';
    const faults: string[] = [];
    const controls = [...rootElement.querySelectorAll<HTMLElement>(selector)].filter((element) => {
      const { width, height } = element.getBoundingClientRect();
      return element.checkVisibility({ visibilityProperty: true }) && width > 2 && height > 2;
    });
    if (controls.length === 0) faults.push('there are no controls');
    for (const control of controls) {
      const name = `${control.tagName} ${control.getAttribute('aria-label') ?? (control.textContent || control.id)}`;
      control.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
      await new Promise(requestAnimationFrame);
      const { left, top, right, bottom } = control.getBoundingClientRect();
      let frame = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
      // An ancestor that scrolls does not cut off what has a fixed position in the window.
      for (let part: HTMLElement = control; getComputedStyle(part).position !== 'fixed';) {
        const { parentElement } = part;
        if (parentElement === null || parentElement === document.body) break;
        part = parentElement;
        const { overflowX, overflowY } = getComputedStyle(part);
        if (overflowX === 'visible' && overflowY === 'visible') continue;
        const edge = part.getBoundingClientRect();
        frame = {
          left: Math.max(frame.left, edge.left),
          top: Math.max(frame.top, edge.top),
          right: Math.min(frame.right, edge.right),
          bottom: Math.min(frame.bottom, edge.bottom),
        };
      }
      if (left < frame.left - 1 || top < frame.top - 1 || right > frame.right + 1 || bottom > frame.bottom + 1)
        faults.push(`cut off: ${name}`);
      for (const [x, y] of [
        [0.5, 0.5],
        [0.1, 0.2],
        [0.9, 0.2],
        [0.1, 0.8],
        [0.9, 0.8],
      ] as const) {
        const topElement = document.elementFromPoint(left + (right - left) * x, top + (bottom - top) * y);
        const isOwn =
          topElement !== null &&
          (control.contains(topElement) ||
            // Icons and buttons in a field are parts of it.
            control.closest('[class*="Input-wrapper"], label')?.contains(topElement) === true ||
            (topElement.contains(control) && getComputedStyle(control).pointerEvents === 'none'));
        if (!isOwn) faults.push(`covered: ${name} by ${topElement?.outerHTML.slice(0, 120) ?? 'nothing'}`);
      }
      const isText = control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement;
      const cutLabel = [control, ...control.querySelectorAll<HTMLElement>('*')].find(
        (element) =>
          getComputedStyle(element).overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1 && !isText,
      );
      if (cutLabel !== undefined) faults.push(`label cut off: ${name}`);
    }
    return faults;
  });
}
