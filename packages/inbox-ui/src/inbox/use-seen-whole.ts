import { useEffect, useRef, type RefObject } from 'react';
import { extendSeenPart, type SeenPart } from './seen-parts.js';
import { measureVisiblePart, observeVisibility } from './visible-part.js';

/**
 * Observes whether all content of an element has been in view: each of its parts (`data-part`) from top to bottom, and
 * nothing in it is folded or cut (`data-partly-hidden`). Notes (`data-note`) within it do not count.
 *
 * @param wasSeen whether the content was seen earlier
 * @param onSeen called when all of it has been in view
 */
export function useSeenWhole(wasSeen: boolean, onSeen: () => void): RefObject<HTMLDivElement | null> {
  const element = useRef<HTMLDivElement>(null);
  const latestOnSeen = useRef(onSeen);
  latestOnSeen.current = onSeen;
  useEffect(() => {
    const { current: container } = element;
    if (container === null || wasSeen) return;
    const seenParts = new Map<Element, SeenPart>();
    const sideEnds = new Map<Element, number>();
    const measure = (): void => {
      const parts = [...container.querySelectorAll<HTMLElement>('[data-part]')];
      let isWhole = container.querySelector('[data-partly-hidden]') === null;
      for (const part of parts) {
        // What follows folded lines moves when they are unfolded, so it would be counted instead of them.
        const visible = measureVisiblePart(part, part.querySelectorAll('[data-folded]'));
        if (visible === undefined) return;
        const seenPart = extendSeenPart(seenParts.get(part), visible, part.clientWidth);
        seenParts.set(part, seenPart);
        if (seenPart.end < visible.height - 1) isWhole = false;
      }
      for (const table of container.querySelectorAll('[data-scrolls-sideways]')) {
        const end = Math.max(sideEnds.get(table) ?? 0, Math.abs(table.scrollLeft) + table.clientWidth);
        sideEnds.set(table, end);
        if (end < table.scrollWidth - 2) isWhole = false;
      }
      if (isWhole) latestOnSeen.current();
    };
    return observeVisibility(container, ['data-partly-hidden'], measure);
  }, [wasSeen]);
  return element;
}
