import type { RunEvent } from '@countersign/contract';
import { getEventKind, type EventKind } from './describe-event.js';

/** Minimum duration of a pause between two events for which the timeline has a row, in ms. */
const MIN_GAP_MS = 60_000;

export interface EventFilter {
  readonly kind: EventKind | undefined;
  readonly elementId: string | undefined;
}

/** Returns the events that match a filter. */
export function filterEvents(events: readonly RunEvent[], { kind, elementId }: EventFilter): readonly RunEvent[] {
  if (kind === undefined && elementId === undefined) return events;
  return events.filter(
    (event) =>
      (kind === undefined || getEventKind(event) === kind) &&
      (elementId === undefined || event.elementId === elementId),
  );
}

/** Row of the timeline. */
export type TimelineRow =
  | { readonly kind: 'gap'; readonly key: string; readonly ms: number }
  | { readonly kind: 'step'; readonly key: string; readonly elementId: string }
  | {
      readonly kind: 'event';
      readonly key: string;
      readonly event: RunEvent;
      /** Position among the events, from 1. */ readonly position: number;
      /** Whether the row is under the heading of its step. */ readonly inStep: boolean;
    };

/**
 * Builds the rows of the timeline. Consecutive events of a step are grouped under its name; a long pause gets a
 * separate row.
 */
export function buildTimelineRows(events: readonly RunEvent[]): readonly TimelineRow[] {
  const rows: TimelineRow[] = [];
  let previous: RunEvent | undefined;
  let isGrouped = false;
  events.forEach((event, index) => {
    const gap = previous === undefined ? 0 : Date.parse(event.at) - Date.parse(previous.at);
    if (gap >= MIN_GAP_MS) rows.push({ kind: 'gap', key: `gap-${event.seq}`, ms: gap });
    const isSameGroup = isGrouped && gap < MIN_GAP_MS && event.stepId !== null && event.stepId === previous?.stepId;
    if (!isSameGroup) {
      const next = events[index + 1];
      isGrouped = event.stepId !== null && event.elementId !== null && next?.stepId === event.stepId;
      if (isGrouped) rows.push({ kind: 'step', key: `step-${event.seq}`, elementId: event.elementId ?? '' });
    }
    rows.push({ kind: 'event', key: `event-${event.seq}`, event, position: index + 1, inStep: isGrouped });
    previous = event;
  });
  return rows;
}
