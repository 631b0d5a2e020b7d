import { Box, Loader, Text } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  useEffect,
  useMemo,
  useRef,
  useState,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  type UIEvent,
} from 'react';
import { texts } from '../texts/index.js';
import './virtual-table.css';

export interface Column<T> {
  readonly key: string;
  readonly header: ReactNode;
  /** CSS width in a grid: `120px`, `minmax(160px, 2fr)`. */
  readonly width: string;
  cell(item: T): ReactNode;
}

interface VirtualTableProps<T> {
  /** Name of the listed items, for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly items: readonly T[];
  getKey(item: T): string;
  /** Height of a row in px. */
  readonly rowHeight?: number;
  readonly hasMore?: boolean;
  readonly loadingMore?: boolean;
  onLoadMore?(): void;
  /** Called on Enter or a click on a row. */
  onOpen?(item: T): void;
  /** Index of the row that keys act on; stored by the caller. */
  readonly current?: number;
  onCurrent?(index: number): void;
  /** Index of the row to scroll to whenever this value changes. */
  readonly scrollTo?: number | undefined;
  /** Returns whether a row is marked as selected. */
  isSelected?(item: T): boolean;
  /** Called with the range of rendered rows. */
  onRange?(first: number, last: number): void;
  /**
   * Called with whether the user is reading: the pointer or the focus is on the rows, or the rows are scrolled away
   * from the top. The rows should not move while the user is reading.
   */
  onReading?(reading: boolean): void;
  /** The scroll container, for callers that scroll it back to the top. */
  readonly scrollerRef?: RefObject<HTMLDivElement | null>;
}

/**
 * A table of any length with only the visible rows in the document (ARIA grid pattern: one row takes focus; arrows,
 * Home, End and the page keys move it; Enter opens). `j` and `k` move it too.
 */
export function VirtualTable<T>(props: VirtualTableProps<T>) {
  const {
    label,
    columns,
    items,
    getKey,
    rowHeight = 44,
    hasMore = false,
    loadingMore = false,
    onLoadMore,
    onOpen,
    current: currentProp = 0,
    onCurrent,
    scrollTo,
    isSelected,
    onRange,
    onReading,
    scrollerRef,
  } = props;
  const ownScroller = useRef<HTMLDivElement>(null);
  const scroller = scrollerRef ?? ownScroller;
  const readingHandlers = useReadingHandlers(onReading);
  const [current, setCurrentRow] = useCurrentRow(items, getKey, currentProp);
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  const visibleRows = virtualizer.getVirtualItems();
  const first = visibleRows[0]?.index ?? 0;
  const last = visibleRows.at(-1)?.index ?? 0;
  const template = columns.map(({ width }) => width).join(' ');

  useEffect(() => {
    if (hasMore && !loadingMore && last >= items.length - 20) onLoadMore?.();
  }, [hasMore, loadingMore, last, items.length, onLoadMore]);

  useEffect(() => {
    if (scrollTo !== undefined && scrollTo >= 0) virtualizer.scrollToIndex(scrollTo);
  }, [scrollTo, virtualizer]);

  useEffect(() => onRange?.(first, last), [onRange, first, last]);

  // The header follows the column widths of the body, which a scrollbar makes narrower.
  useEffect(() => {
    const body = scroller.current;
    if (body === null) return undefined;
    const observer = new ResizeObserver(() =>
      body.parentElement?.style.setProperty('--cs-scrollbar', `${body.offsetWidth - body.clientWidth}px`),
    );
    for (const element of [body, body.firstElementChild]) if (element !== null) observer.observe(element);
    return () => observer.disconnect();
  }, [scroller]);

  const focus = (index: number): void => {
    const to = Math.max(0, Math.min(items.length - 1, index));
    setCurrentRow(to);
    onCurrent?.(to);
    virtualizer.scrollToIndex(to);
    // The row may not be rendered yet.
    requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-index="${to}"]`)?.focus());
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = (event.target as HTMLElement).closest('[data-index]');
    // A cell's control handles its own keys.
    if (row === null || row !== event.target) return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 400) / rowHeight) - 1);
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: current + 1,
      j: current + 1,
      ArrowUp: current - 1,
      k: current - 1,
      Home: 0,
      End: items.length - 1,
      PageDown: current + page,
      PageUp: current - page,
    };
    const to = moves[event.key];
    if (to !== undefined) focus(to);
    else if (event.key === 'Enter' && items[current] !== undefined) onOpen?.(items[current]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div
      className="cs-table"
      role="grid"
      aria-label={label}
      aria-rowcount={hasMore ? -1 : items.length + 1}
      onKeyDown={onKeyDown}
    >
      <div className="cs-table-head" role="row" aria-rowindex={1} style={{ gridTemplateColumns: template }}>
        {columns.map(({ key, header }) => (
          <div key={key} role="columnheader">
            {header}
          </div>
        ))}
      </div>
      <div className="cs-table-body" ref={scroller} role="rowgroup" {...readingHandlers}>
        <Box pos="relative" h={virtualizer.getTotalSize()} role="presentation">
          {visibleRows.map(({ index, start }) => {
            const item = items[index];
            if (item === undefined) return null;
            return (
              <div
                key={getKey(item)}
                role="row"
                aria-rowindex={index + 2}
                aria-selected={isSelected?.(item) ?? false}
                data-index={index}
                data-key={getKey(item)}
                tabIndex={index === Math.min(current, items.length - 1) ? 0 : -1}
                className="cs-table-row"
                style={{ gridTemplateColumns: template, height: rowHeight, transform: `translateY(${start}px)` }}
                onFocus={(event) => {
                  if (event.target !== event.currentTarget) return;
                  setCurrentRow(index);
                  onCurrent?.(index);
                }}
                onClick={(event) => {
                  // A control in the row handles its own clicks, and selecting text does not open the row.
                  if (
                    (event.target as HTMLElement).closest('a, button, input, label') !== null ||
                    window.getSelection()?.isCollapsed === false
                  )
                    return;
                  setCurrentRow(index);
                  onCurrent?.(index);
                  onOpen?.(item);
                }}
              >
                {columns.map((column) => (
                  <div key={column.key} role="gridcell" className="cs-table-cell">
                    {column.cell(item)}
                  </div>
                ))}
              </div>
            );
          })}
        </Box>
        {loadingMore && (
          <Text size="sm" c="dimmed" p="xs" role="status">
            <Loader size="xs" mr="xs" />
            {texts.app.loading}
          </Text>
        )}
      </div>
    </div>
  );
}

/**
 * Tracks the row that keys act on. New rows above it change its index, and the focus stays on the row, so the row is
 * identified by its key until the caller passes another index.
 */
function useCurrentRow<T>(
  items: readonly T[],
  getKey: (item: T) => string,
  currentProp: number,
): readonly [number, (index: number) => void] {
  const [trackedRow, setTrackedRow] = useState<{ readonly index: number; readonly key: string }>();
  const trackRow = (index: number): void => {
    const item = items[index];
    setTrackedRow(item === undefined ? undefined : { index, key: getKey(item) });
  };
  if (trackedRow?.index !== currentProp) return [currentProp, trackRow];
  const isTrackedRow = (at: number): boolean => items[at] !== undefined && getKey(items[at]) === trackedRow.key;
  const foundIndex = isTrackedRow(currentProp) ? currentProp : items.findIndex((_, at) => isTrackedRow(at));
  return [foundIndex === -1 ? currentProp : foundIndex, trackRow];
}

/** Returns event handlers that detect whether the user is reading (see `onReading`). */
function useReadingHandlers(onReading: ((reading: boolean) => void) | undefined) {
  const latest = useRef(onReading);
  latest.current = onReading;
  return useMemo(() => {
    const state = { pointer: false, focus: false, scrolled: false };
    const updateState = (change: Partial<typeof state>): void => {
      Object.assign(state, change);
      latest.current?.(state.pointer || state.focus || state.scrolled);
    };
    return {
      onPointerEnter: () => updateState({ pointer: true }),
      onPointerLeave: () => updateState({ pointer: false }),
      onFocus: () => updateState({ focus: true }),
      onBlur: (event: FocusEvent<HTMLElement>) =>
        updateState({ focus: event.currentTarget.contains(event.relatedTarget) }),
      onScroll: (event: UIEvent<HTMLElement>) => updateState({ scrolled: event.currentTarget.scrollTop > 0 }),
    };
  }, []);
}
