import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState, type HTMLAttributes, type ReactNode, type RefObject } from 'react';
import './virtual-list.css';

interface VirtualListProps<T> {
  /** Label of the list for screen readers. */
  readonly label: string;
  readonly items: readonly T[];
  getKey(item: T): string;
  /** Estimated height of an item, in px; the actual height is measured when the item is rendered. */
  readonly estimatedItemHeight: number;
  /** Distance between items, in px. */
  readonly gap?: number;
  /** Whether further items are not loaded yet. */
  readonly hasMore?: boolean;
  readonly className?: string;
  /** Returns the attributes of an item's list element. */
  itemProps?(item: T): HTMLAttributes<HTMLLIElement>;
  children(item: T): ReactNode;
}

/**
 * Shows a list of any length with items of any height; only visible items are rendered. The nearest scrollable ancestor
 * scrolls the list. An item that had the focus or was clicked stays rendered, so that its opened details, typed text
 * and focus are kept.
 */
export function VirtualList<T>({
  label,
  items,
  getKey,
  estimatedItemHeight,
  gap = 0,
  hasMore = false,
  className,
  itemProps,
  children,
}: VirtualListProps<T>) {
  const list = useRef<HTMLOListElement>(null);
  const { scroller, margin } = useScroller(list);
  const [visitedKeys, setVisitedKeys] = useState<ReadonlySet<string>>(new Set());
  const markVisited = (key: string): void =>
    setVisitedKeys((previous) => (previous.has(key) ? previous : new Set(previous).add(key)));
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller,
    estimateSize: () => estimatedItemHeight,
    gap,
    scrollMargin: margin,
    overscan: 6,
    indexAttribute: 'data-item',
    getItemKey: (index) => keyAt(items, index, getKey),
    rangeExtractor: (range) => {
      const visitedIndexes =
        visitedKeys.size === 0 ? [] : items.flatMap((item, index) => (visitedKeys.has(getKey(item)) ? [index] : []));
      // Sorted in list order, because the Tab key follows the order of the elements.
      return [...new Set([...defaultRangeExtractor(range), ...visitedIndexes])].sort((a, b) => a - b);
    },
  });
  return (
    <ol
      ref={list}
      aria-label={label}
      className={className === undefined ? 'cs-items' : `cs-items ${className}`}
      style={{ height: virtualizer.getTotalSize() }}
    >
      {virtualizer.getVirtualItems().map(({ index, key, start }) => {
        const item = items[index];
        if (item === undefined) return null;
        const { className: itemClassName, ...props } = itemProps?.(item) ?? {};
        return (
          <li
            key={key}
            ref={virtualizer.measureElement}
            data-item={index}
            aria-posinset={index + 1}
            aria-setsize={hasMore ? -1 : items.length}
            {...props}
            className={itemClassName === undefined ? 'cs-item' : `cs-item ${itemClassName}`}
            style={{ transform: `translateY(${start - margin}px)` }}
            onFocus={() => markVisited(getKey(item))}
            onPointerDown={() => markVisited(getKey(item))}
          >
            {children(item)}
          </li>
        );
      })}
    </ol>
  );
}

function keyAt<T>(items: readonly T[], index: number, getKey: (item: T) => string): string | number {
  const item = items[index];
  return item === undefined ? index : getKey(item);
}

/**
 * Returns the element that scrolls a list, and the distance from its top to the list, which is measured again when
 * content above the list changes its size.
 */
function useScroller(list: RefObject<HTMLElement | null>): {
  readonly scroller: HTMLElement | null;
  readonly margin: number;
} {
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  const [margin, setMargin] = useState(0);
  useLayoutEffect(() => {
    const element = list.current;
    const nearestScroller = findScroller(element);
    setScroller(nearestScroller);
    if (element === null || nearestScroller === null) return undefined;
    const measure = (): void =>
      setMargin(
        Math.round(
          element.getBoundingClientRect().top -
            nearestScroller.getBoundingClientRect().top -
            nearestScroller.clientTop +
            nearestScroller.scrollTop,
        ),
      );
    const observer = new ResizeObserver(measure);
    for (
      let ancestor: HTMLElement | null = element;
      ancestor !== null && ancestor !== nearestScroller.parentElement;
      ancestor = ancestor.parentElement
    ) {
      for (const each of [ancestor, ...(ancestor.parentElement?.children ?? [])]) observer.observe(each);
    }
    measure();
    return () => observer.disconnect();
  }, [list]);
  return { scroller, margin };
}

function findScroller(element: HTMLElement | null): HTMLElement | null {
  for (let ancestor = element?.parentElement ?? null; ancestor !== null; ancestor = ancestor.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(ancestor).overflowY)) return ancestor;
  }
  return null;
}
