import type { RunEvent } from '@countersign/contract';
import { formatDuration } from '@countersign/inbox-ui/time/format-time';
import { Timestamp } from '@countersign/inbox-ui/time/timestamp';
import { useVirtualizer, defaultRangeExtractor } from '@tanstack/react-virtual';
import { useEffect, useEffectEvent, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { texts } from '../../texts/index.js';
import { EventIcon } from './event-icon.js';
import { timelineRows, type TimelineRow } from './event-rows.js';
import { sentenceOf } from './event-sentences.js';

interface EventTimelineProps {
  readonly events: readonly RunEvent[];
  readonly names: ReadonlyMap<string, string>;
  readonly selected: number | undefined;
  /** Whether what is new is scrolled to. */
  readonly follow: boolean;
  onSelect(seq: number): void;
}

/**
 * Lists the events from top to bottom (ARIA list box: arrows move, Enter opens). Only visible rows are in the document.
 */
export function EventTimeline({ events, names, selected, follow, onSelect }: EventTimelineProps) {
  const rows = useMemo(() => timelineRows(events), [events]);
  const scroller = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(() =>
    Math.max(
      0,
      rows.findIndex((row) => row.kind === 'event' && row.event.seq === selected),
    ),
  );
  const at = nearestEvent(rows, Math.min(current, rows.length - 1), 1);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (rows[index]?.kind === 'gap' ? 28 : 34),
    overscan: 12,
    getItemKey: (index) => rows[index]?.key ?? index,
    // The row with focus is always rendered.
    rangeExtractor: (range) => [...new Set([...defaultRangeExtractor(range), ...(at >= 0 ? [at] : [])])],
  });
  useEffect(() => {
    if (follow && rows.length > 0) virtual.scrollToIndex(rows.length - 1);
  }, [follow, rows.length, virtual]);
  const showSelected = useEffectEvent(() => {
    const index = rows.findIndex((row) => row.kind === 'event' && row.event.seq === selected);
    if (index >= 0) virtual.scrollToIndex(index, { align: 'auto' });
  });
  // Once for each selection: new events must not scroll the view.
  useEffect(() => showSelected(), [selected]);

  const onKeyDown = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 400) / 34) - 1);
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      j: at + 1,
      ArrowUp: at - 1,
      k: at - 1,
      Home: 0,
      End: rows.length - 1,
      PageDown: at + page,
      PageUp: at - page,
    };
    const wanted = moves[event.key];
    const row = rows[at];
    if (wanted !== undefined) {
      const to = nearestEvent(rows, Math.max(0, Math.min(rows.length - 1, wanted)), wanted >= at ? 1 : -1);
      setCurrent(to);
      virtual.scrollToIndex(to);
      requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-index="${to}"]`)?.focus());
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
        style={{ height: virtual.getTotalSize() }}
        onKeyDown={onKeyDown}
      >
        {virtual.getVirtualItems().map(({ index, start, size, key }) => {
          const row = rows[index];
          const place = { transform: `translateY(${start}px)`, height: size };
          if (row === undefined) return null;
          if (row.kind !== 'event') {
            return (
              <div key={key} role="presentation" className={`cs-timeline-row cs-timeline-${row.kind}`} style={place}>
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
              aria-selected={event.seq === selected}
              aria-posinset={row.position}
              aria-setsize={events.length}
              data-index={index}
              data-seq={event.seq}
              tabIndex={index === at ? 0 : -1}
              className={
                inStep ? 'cs-timeline-row cs-timeline-event cs-timeline-inner' : 'cs-timeline-row cs-timeline-event'
              }
              style={place}
              onFocus={() => setCurrent(index)}
              onClick={() => window.getSelection()?.isCollapsed !== false && onSelect(event.seq)}
            >
              <EventIcon event={event} />
              <span className="cs-timeline-text">{sentenceOf(event, names)}</span>
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

/** Returns the index of the event row closest to a row that may be a heading or a pause. */
function nearestEvent(rows: readonly TimelineRow[], index: number, direction: 1 | -1): number {
  for (const step of [direction, -direction]) {
    for (let i = index; i >= 0 && i < rows.length; i += step) if (rows[i]?.kind === 'event') return i;
  }
  return -1;
}
