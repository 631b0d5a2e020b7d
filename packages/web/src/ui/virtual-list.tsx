import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState, type HTMLAttributes, type ReactNode, type RefObject } from 'react';
import './virtual-list.css';

interface VirtualListProps<T> {
  /** Label of the list for screen readers. */
  readonly label: string;
  readonly items: readonly T[];
  keyOf(item: T): string;
  /** Estimated height of an item in px; each is measured once it is rendered. */
  readonly estimate: number;
  /** Between items, in px. */
  readonly gap?: number;
  /** Whether further items are not loaded yet. */
  readonly hasMore?: boolean;
  readonly className?: string;
  /** Returns the attributes of an item's list element. */
  itemProps?(item: T): HTMLAttributes<HTMLLIElement>;
  children(item: T): ReactNode;
}

/**
 * Shows a list of any length with items of any height; only visible ones are in the document. The nearest scrollable
 * ancestor scrolls. An item that had focus or pointer stays rendered, and with it anything opened or typed there, and
 * the focus.
 */
export function VirtualList<T>({
  label,
  items,
  keyOf,
  estimate,
  gap = 0,
  hasMore = false,
  className,
  itemProps,
  children,
}: VirtualListProps<T>) {
  const list = useRef<HTMLOListElement>(null);
  const { scroller, margin } = useScroller(list);
  const [visited, setVisited] = useState<ReadonlySet<string>>(new Set());
  const visit = (key: string): void => setVisited((before) => (before.has(key) ? before : new Set(before).add(key)));
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller,
    estimateSize: () => estimate,
    gap,
    scrollMargin: margin,
    overscan: 6,
    indexAttribute: 'data-item',
    getItemKey: (index) => keyAt(items, index, keyOf),
    rangeExtractor: (range) => {
      const kept = visited.size === 0 ? [] : items.flatMap((item, index) => (visited.has(keyOf(item)) ? [index] : []));
      // In list order, which is the order of the keyboard.
      return [...new Set([...defaultRangeExtractor(range), ...kept])].sort((a, b) => a - b);
    },
  });
  return (
    <ol
      ref={list}
      aria-label={label}
      className={className === undefined ? 'cs-items' : `cs-items ${className}`}
      style={{ height: rows.getTotalSize() }}
    >
      {rows.getVirtualItems().map(({ index, key, start }) => {
        const item = items[index];
        if (item === undefined) return null;
        const { className: own, ...props } = itemProps?.(item) ?? {};
        return (
          <li
            key={key}
            ref={rows.measureElement}
            data-item={index}
            aria-posinset={index + 1}
            aria-setsize={hasMore ? -1 : items.length}
            {...props}
            className={own === undefined ? 'cs-item' : `cs-item ${own}`}
            style={{ transform: `translateY(${start - margin}px)` }}
            onFocus={() => visit(keyOf(item))}
            onPointerDown={() => visit(keyOf(item))}
          >
            {children(item)}
          </li>
        );
      })}
    </ol>
  );
}

function keyAt<T>(items: readonly T[], index: number, keyOf: (item: T) => string): string | number {
  const item = items[index];
  return item === undefined ? index : keyOf(item);
}

/** Returns the element that scrolls a list, and the distance from its top to the list: the content above may grow. */
function useScroller(list: RefObject<HTMLElement | null>): {
  readonly scroller: HTMLElement | null;
  readonly margin: number;
} {
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  const [margin, setMargin] = useState(0);
  useLayoutEffect(() => {
    const element = list.current;
    const found = scrollerOf(element);
    setScroller(found);
    if (element === null || found === null) return undefined;
    const measure = (): void =>
      setMargin(
        Math.round(
          element.getBoundingClientRect().top - found.getBoundingClientRect().top - found.clientTop + found.scrollTop,
        ),
      );
    const observer = new ResizeObserver(measure);
    for (
      let around: HTMLElement | null = element;
      around !== null && around !== found.parentElement;
      around = around.parentElement
    ) {
      for (const each of [around, ...(around.parentElement?.children ?? [])]) observer.observe(each);
    }
    measure();
    return () => observer.disconnect();
  }, [list]);
  return { scroller, margin };
}

function scrollerOf(element: HTMLElement | null): HTMLElement | null {
  for (let around = element?.parentElement ?? null; around !== null; around = around.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(around).overflowY)) return around;
  }
  return null;
}
