import type { JsonObject, RunEvent } from '@countersign/model';

/** The fields of a run event that a replay reads. */
export type RecordedEvent = Pick<
  RunEvent,
  'seq' | 'at' | 'type' | 'stepId' | 'elementId' | 'data' | 'private' | 'commitment'
>;

export type GapCode = 'erased' | 'not_recorded' | 'version_missing' | 'differs' | 'too_long';

/** Thrown when a history cannot be replayed past an event. Missing data is never invented. */
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

/**
 * Returns the private part of an event that a replay needs.
 *
 * @throws {ReplayGap} if the private part was erased
 */
export function requirePrivatePart(event: RecordedEvent): JsonObject {
  if (event.private !== null) return event.private as JsonObject;
  if (event.commitment === null) return {};
  throw new ReplayGap(
    'erased',
    event.seq,
    `The data of run event ${event.seq} (${event.type}) has been erased, and everything that follows depends on it.`,
  );
}
