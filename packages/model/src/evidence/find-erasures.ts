import { filterPositions } from './pack-members.js';
import type { HistoryEvent } from './recorded-facts.js';

/**
 * Type of the run event that records the erasure of private parts. Its `data.events` and `data.auditEvents` contain
 * their positions.
 */
export const ERASURE_EVENT_TYPE = 'personal_data.erased';

/** Positions whose private part may be missing, because a later event records its erasure. */
export interface Erasures {
  readonly events: ReadonlySet<number>;
  readonly auditEvents: ReadonlySet<number>;
}

/** Returns the erasures that the history of a run records. An event can record only the erasure of earlier events. */
export function findErasures(events: readonly Pick<HistoryEvent, 'seq' | 'type' | 'data'>[]): Erasures {
  const erasureEvents = events.filter(({ type }) => type === ERASURE_EVENT_TYPE);
  return {
    events: new Set(
      erasureEvents.flatMap(({ seq, data }) => filterPositions(data['events']).filter((position) => position < seq)),
    ),
    auditEvents: new Set(erasureEvents.flatMap(({ data }) => filterPositions(data['auditEvents']))),
  };
}
