import type { JsonObject, RunEvent } from '@countersign/model';

/** What a replay reads of a run event. */
export type RecordedEvent = Pick<
  RunEvent,
  'seq' | 'at' | 'type' | 'stepId' | 'elementId' | 'data' | 'private' | 'commitment'
>;

export type GapCode = 'erased' | 'not_recorded' | 'version_missing' | 'differs' | 'too_long';

/** Where a history can't be replayed any further: nothing is made up in its place. */
export class ReplayGap extends Error {
  constructor(
    readonly code: GapCode,
    readonly seq: number,
    message: string,
  ) {
    super(message);
    this.name = 'ReplayGap';
  }
}

/** The private part of an event that a replay can't do without. @throws {ReplayGap} where it was erased */
export function privatePart(event: RecordedEvent): JsonObject {
  if (event.private !== null) return event.private as JsonObject;
  if (event.commitment === null) return {};
  throw new ReplayGap(
    'erased',
    event.seq,
    `What run event ${event.seq} (${event.type}) held has been erased, and all that follows depends on it.`,
  );
}
