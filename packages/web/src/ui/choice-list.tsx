import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import './choice-list.css';

interface ChoiceListProps<T> {
  /** Label of the list for screen readers. */
  readonly label: string;
  readonly items: readonly T[];
  keyOf(item: T): string;
  /** Key of the selected item, which is scrolled into view when it changes. */
  readonly chosen: string | undefined;
  /** Row height in px. */
  readonly rowHeight: number;
  onChoose(item: T): void;
  children(item: T): ReactNode;
}

/**
 * Shows a list of any length to select from; only visible rows are in the document (ARIA list box: one row takes focus;
 * arrows, Home, End and the page keys move it; Enter and space select).
 */
export function ChoiceList<T>({ label, items, keyOf, chosen, rowHeight, onChoose, children }: ChoiceListProps<T>) {
  const scroller = useRef<HTMLDivElement>(null);
  const index = items.findIndex((item) => keyOf(item) === chosen);
  const [current, setCurrent] = useState(Math.max(0, index));
  const at = Math.min(current, items.length - 1);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    // The row with focus is always rendered, or keys could not return to the list.
    rangeExtractor: (range) => [...new Set([...defaultRangeExtractor(range), ...(at >= 0 ? [at] : [])])],
  });
  useEffect(() => {
    if (index < 0) return;
    setCurrent(index);
    rows.scrollToIndex(index, { align: 'auto' });
  }, [index, rows]);

  const onKeyDown = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 400) / rowHeight) - 1);
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      j: at + 1,
      ArrowUp: at - 1,
      k: at - 1,
      Home: 0,
      End: items.length - 1,
      PageDown: at + page,
      PageUp: at - page,
    };
    const wanted = moves[event.key];
    const item = items[at];
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (wanted !== undefined) {
      const to = Math.max(0, Math.min(items.length - 1, wanted));
      setCurrent(to);
      rows.scrollToIndex(to);
      requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-index="${to}"]`)?.focus());
    } else if ((event.key === 'Enter' || event.key === ' ') && item !== undefined) onChoose(item);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div className="cs-choices" ref={scroller}>
      <div
        role="listbox"
        aria-label={label}
        className="cs-choices-rows"
        style={{ height: rows.getTotalSize() }}
        onKeyDown={onKeyDown}
      >
        {rows.getVirtualItems().map(({ index: row, start }) => {
          const item = items[row];
          if (item === undefined) return null;
          const key = keyOf(item);
          return (
            <div
              key={key}
              role="option"
              aria-selected={key === chosen}
              aria-posinset={row + 1}
              aria-setsize={items.length}
              data-index={row}
              tabIndex={row === at ? 0 : -1}
              className="cs-choice"
              style={{ height: rowHeight, transform: `translateY(${start}px)` }}
              onFocus={() => setCurrent(row)}
              onClick={() => onChoose(item)}
            >
              {children(item)}
            </div>
          );
        })}
      </div>
    </div>
  );
}
