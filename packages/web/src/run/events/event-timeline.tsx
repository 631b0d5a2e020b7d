import type { RunEvent } from '@countersign/contract';
import { formatDuration } from '@countersign/inbox-ui/time/format-time';
import { Timestamp } from '@countersign/inbox-ui/time/timestamp';
import { useVirtualizer, defaultRangeExtractor } from '@tanstack/react-virtual';
import { useEffect, useEffectEvent, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { texts } from '../../texts/index.js';
import { EventIcon } from './event-icon.js';
import { buildTimelineRows, type TimelineRow } from './timeline-rows.js';
import { describeEvent } from './describe-event.js';

interface EventTimelineProps {
  readonly events: readonly RunEvent[];
  readonly names: ReadonlyMap<string, string>;
  readonly selectedSeq: number | undefined;
  /** Whether the timeline scrolls to new events. */
  readonly isFollowing: boolean;
  onSelect(seq: number): void;
}

/**
 * Lists the events, oldest first (ARIA listbox pattern: arrow keys move, Enter opens). Only visible rows are rendered.
 */
export function EventTimeline({ events, names, selectedSeq, isFollowing, onSelect }: EventTimelineProps) {
  const rows = useMemo(() => buildTimelineRows(events), [events]);
  const scroller = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(() =>
    Math.max(
      0,
      rows.findIndex((row) => row.kind === 'event' && row.event.seq === selectedSeq),
    ),
  );
  const currentIndex = findNearestEvent(rows, Math.min(current, rows.length - 1), 1);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (rows[index]?.kind === 'gap' ? 28 : 34),
    overscan: 12,
    getItemKey: (index) => rows[index]?.key ?? index,
    // The row with focus is always rendered.
    rangeExtractor: (range) => [
      ...new Set([...defaultRangeExtractor(range), ...(currentIndex >= 0 ? [currentIndex] : [])]),
    ],
  });
  useEffect(() => {
    if (isFollowing && rows.length > 0) virtualizer.scrollToIndex(rows.length - 1);
  }, [isFollowing, rows.length, virtualizer]);
  const showSelected = useEffectEvent(() => {
    const index = rows.findIndex((row) => row.kind === 'event' && row.event.seq === selectedSeq);
    if (index >= 0) virtualizer.scrollToIndex(index, { align: 'auto' });
  });
  // Runs only when the selection changes: new events must not scroll the view.
  useEffect(() => showSelected(), [selectedSeq]);

  const onKeyDown = (event: KeyboardEvent): void => {
    const rowsPerPage = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 400) / 34) - 1);
    const indexByKey: Readonly<Record<string, number>> = {
      ArrowDown: currentIndex + 1,
      j: currentIndex + 1,
      ArrowUp: currentIndex - 1,
      k: currentIndex - 1,
      Home: 0,
      End: rows.length - 1,
      PageDown: currentIndex + rowsPerPage,
      PageUp: currentIndex - rowsPerPage,
    };
    const targetIndex = indexByKey[event.key];
    const row = rows[currentIndex];
    if (targetIndex !== undefined) {
      const nextIndex = findNearestEvent(
        rows,
        Math.max(0, Math.min(rows.length - 1, targetIndex)),
        targetIndex >= currentIndex ? 1 : -1,
      );
      setCurrent(nextIndex);
      virtualizer.scrollToIndex(nextIndex);
      requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-index="${nextIndex}"]`)?.focus());
    } else if ((event.key === 'Enter' || event.key === ' ') && row?.kind === 'event') onSelect(row.event.seq);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div className="cs-timeline" ref={scroller}>
      <div
        role="listbox"
        aria-label={texts.runEvents.label}
        className="cs-timeline-rows"
        style={{ height: virtualizer.getTotalSize() }}
        onKeyDown={onKeyDown}
      >
        {virtualizer.getVirtualItems().map(({ index, start, size, key }) => {
          const row = rows[index];
          const rowStyle = { transform: `translateY(${start}px)`, height: size };
          if (row === undefined) return null;
          if (row.kind !== 'event') {
            return (
              <div key={key} role="presentation" className={`cs-timeline-row cs-timeline-${row.kind}`} style={rowStyle}>
                {row.kind === 'gap'
                  ? texts.runEvents.later(formatDuration(row.ms))
                  : (names.get(row.elementId) ?? row.elementId)}
              </div>
            );
          }
          const { event, inStep } = row;
          return (
            <div
              key={key}
              role="option"
              aria-selected={event.seq === selectedSeq}
              aria-posinset={row.position}
              aria-setsize={events.length}
              data-index={index}
              data-seq={event.seq}
              tabIndex={index === currentIndex ? 0 : -1}
              className={
                inStep ? 'cs-timeline-row cs-timeline-event cs-timeline-inner' : 'cs-timeline-row cs-timeline-event'
              }
              style={rowStyle}
              onFocus={() => setCurrent(index)}
              onClick={() => window.getSelection()?.isCollapsed !== false && onSelect(event.seq)}
            >
              <EventIcon event={event} />
              <span className="cs-timeline-text">{describeEvent(event, names)}</span>
              <span className="cs-timeline-at">
                <Timestamp at={event.at} />
              </span>
            </div>
          );
        })}
      </div>
    </div>
  );
}

/**
 * Returns the index of the event row nearest to `index`, searched first in the given direction and then in the other,
 * or -1. The row at `index` may be a heading or a pause.
 */
function findNearestEvent(rows: readonly TimelineRow[], index: number, direction: 1 | -1): number {
  for (const delta of [direction, -direction]) {
    for (let i = index; i >= 0 && i < rows.length; i += delta) if (rows[i]?.kind === 'event') return i;
  }
  return -1;
}
