import { positionsIn } from './pack-members.js';
import type { HistoryEvent } from './people-in-history.js';

/** The event by which a run's history says that private parts were erased: `data.events` and `data.auditEvents` are their positions. */
export const ERASURE = 'personal_data.erased';

/** Positions whose private part may be missing, because a later event says that it was erased. */
export interface Erasures {
  readonly events: ReadonlySet<number>;
  readonly auditEvents: ReadonlySet<number>;
}

/** Reads what the history of a run says was erased. An event can't announce the erasure of a later one. */
export function erasuresIn(events: readonly Pick<HistoryEvent, 'seq' | 'type' | 'data'>[]): Erasures {
  const erased = events.filter(({ type }) => type === ERASURE);
  return {
    events: new Set(
      erased.flatMap(({ seq, data }) => positionsIn(data['events']).filter((position) => position < seq)),
    ),
    auditEvents: new Set(erased.flatMap(({ data }) => positionsIn(data['auditEvents']))),
  };
}
