import type { RunEvent } from '@countersign/contract';
import { kindOf, type EventKind } from './event-sentences.js';

/** Pauses between two events that last at least this long are shown, in ms. */
const GAP_MS = 60_000;

export interface EventFilter {
  readonly kind: EventKind | undefined;
  readonly elementId: string | undefined;
}

/** Returns the events that match a filter. */
export function filterEvents(events: readonly RunEvent[], { kind, elementId }: EventFilter): readonly RunEvent[] {
  if (kind === undefined && elementId === undefined) return events;
  return events.filter(
    (event) =>
      (kind === undefined || kindOf(event) === kind) && (elementId === undefined || event.elementId === elementId),
  );
}

/** A line of the timeline. */
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

/** Returns the rows of the timeline: consecutive events of one step under its name, with long pauses between them. */
export function timelineRows(events: readonly RunEvent[]): readonly TimelineRow[] {
  const rows: TimelineRow[] = [];
  let before: RunEvent | undefined;
  let grouped = false;
  events.forEach((event, index) => {
    const gap = before === undefined ? 0 : Date.parse(event.at) - Date.parse(before.at);
    if (gap >= GAP_MS) rows.push({ kind: 'gap', key: `gap-${event.seq}`, ms: gap });
    const continues = grouped && gap < GAP_MS && event.stepId !== null && event.stepId === before?.stepId;
    if (!continues) {
      const next = events[index + 1];
      grouped = event.stepId !== null && event.elementId !== null && next?.stepId === event.stepId;
      if (grouped) rows.push({ kind: 'step', key: `step-${event.seq}`, elementId: event.elementId ?? '' });
    }
    rows.push({ kind: 'event', key: `event-${event.seq}`, event, position: index + 1, inStep: grouped });
    before = event;
  });
  return rows;
}
