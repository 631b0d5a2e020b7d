import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import './listbox.css';

interface ListboxProps<T> {
  /** Label of the list for screen readers. */
  readonly label: string;
  readonly items: readonly T[];
  getKey(item: T): string;
  /** Key of the selected item, which is scrolled into view when it changes. */
  readonly selectedKey: string | undefined;
  /** Row height in px. */
  readonly rowHeight: number;
  onSelect(item: T): void;
  children(item: T): ReactNode;
}

/**
 * Shows a list of any length from which the user selects an item. Only visible rows are rendered. It follows the ARIA
 * listbox pattern: one row can have the focus; the arrow keys, `j`, `k`, Home, End and the page keys move the focus;
 * Enter and Space select the row.
 */
export function Listbox<T>({ label, items, getKey, selectedKey, rowHeight, onSelect, children }: ListboxProps<T>) {
  const scroller = useRef<HTMLDivElement>(null);
  const selectedIndex = items.findIndex((item) => getKey(item) === selectedKey);
  const [current, setCurrent] = useState(Math.max(0, selectedIndex));
  const currentIndex = Math.min(current, items.length - 1);
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    // Always renders the current row, so that the list can receive the keyboard focus.
    rangeExtractor: (range) => [
      ...new Set([...defaultRangeExtractor(range), ...(currentIndex >= 0 ? [currentIndex] : [])]),
    ],
  });
  useEffect(() => {
    if (selectedIndex < 0) return;
    setCurrent(selectedIndex);
    virtualizer.scrollToIndex(selectedIndex, { align: 'auto' });
  }, [selectedIndex, virtualizer]);

  const onKeyDown = (event: KeyboardEvent): void => {
    const rowsPerPage = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 400) / rowHeight) - 1);
    const indexByKey: Readonly<Record<string, number>> = {
      ArrowDown: currentIndex + 1,
      j: currentIndex + 1,
      ArrowUp: currentIndex - 1,
      k: currentIndex - 1,
      Home: 0,
      End: items.length - 1,
      PageDown: currentIndex + rowsPerPage,
      PageUp: currentIndex - rowsPerPage,
    };
    const targetIndex = indexByKey[event.key];
    const item = items[currentIndex];
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (targetIndex !== undefined) {
      const nextIndex = Math.max(0, Math.min(items.length - 1, targetIndex));
      setCurrent(nextIndex);
      virtualizer.scrollToIndex(nextIndex);
      requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-index="${nextIndex}"]`)?.focus());
    } else if ((event.key === 'Enter' || event.key === ' ') && item !== undefined) onSelect(item);
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
        style={{ height: virtualizer.getTotalSize() }}
        onKeyDown={onKeyDown}
      >
        {virtualizer.getVirtualItems().map(({ index: rowIndex, start }) => {
          const item = items[rowIndex];
          if (item === undefined) return null;
          const key = getKey(item);
          return (
            <div
              key={key}
              role="option"
              aria-selected={key === selectedKey}
              aria-posinset={rowIndex + 1}
              aria-setsize={items.length}
              data-index={rowIndex}
              tabIndex={rowIndex === currentIndex ? 0 : -1}
              className="cs-choice"
              style={{ height: rowHeight, transform: `translateY(${start}px)` }}
              onFocus={() => setCurrent(rowIndex)}
              onClick={() => onSelect(item)}
            >
              {children(item)}
            </div>
          );
        })}
      </div>
    </div>
  );
}
