import { filterPositions } from './pack-members.js';
import type { HistoryEvent } from './people-in-history.js';

/** The event that records the erasure of private parts: `data.events` and `data.auditEvents` are their positions. */
export const ERASURE = 'personal_data.erased';

/** Positions whose private part may be missing, because a later event records its erasure. */
export interface Erasures {
  readonly events: ReadonlySet<number>;
  readonly auditEvents: ReadonlySet<number>;
}

/** Returns the erasures that the history of a run records. An event cannot announce the erasure of a later one. */
export function findErasures(events: readonly Pick<HistoryEvent, 'seq' | 'type' | 'data'>[]): Erasures {
  const erased = events.filter(({ type }) => type === ERASURE);
  return {
    events: new Set(
      erased.flatMap(({ seq, data }) => filterPositions(data['events']).filter((position) => position < seq)),
    ),
    auditEvents: new Set(erased.flatMap(({ data }) => filterPositions(data['auditEvents']))),
  };
}
