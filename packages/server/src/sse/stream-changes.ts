import { type Change, changeText } from '@countersign/core';
import type { RouteContext } from '../app/route-context.js';
import { isInvalidPosition, type ChangeBatch, type ChangeFeedPoller } from './change-feed-poller.js';
import { remainingMs } from '../auth/principal.js';
import { EventStream, type StreamedEvent } from './event-stream.js';

const MAX_SEEN = 10_000;

/** Streams all changes from now on, or after a position from an earlier stream, without gaps. */
export async function streamChanges(
  { ctx, services, principal }: Pick<RouteContext, 'ctx' | 'services' | 'principal'>,
  from: string | undefined,
): Promise<void> {
  const { feed, streams } = services;
  if (ctx.method === 'HEAD') {
    ctx.type = 'text/event-stream';
    ctx.status = 200;
    return;
  }
  streams.assertStreamLimit(principal);
  const leave = await feed.listen();
  try {
    const stream = new EventStream(ctx, remainingMs(principal, services.clock));
    const remove = streams.add(stream, principal);
    try {
      await follow(stream, feed, from);
    } finally {
      remove();
      stream.end();
    }
  } finally {
    leave();
  }
}

async function follow(stream: EventStream, feed: ChangeFeedPoller, from: string | undefined): Promise<void> {
  let turns = feed.absenceTurns;
  const joined = await join(stream, feed, from);
  let { position } = joined;
  const { seen } = joined;
  while (!stream.signal.aborted) {
    const batch = feed.after(position);
    if (batch !== undefined) {
      await stream.send(eventsOf({ ...batch, changes: batch.changes.filter((change) => !seen.delete(keyOf(change))) }));
      ({ position } = batch);
    } else if (turns !== feed.absenceTurns) {
      turns = feed.absenceTurns;
      // Who may decide, and as whose substitute, is not part of any run. It changes rarely, so clients simply reload.
      await stream.send([{ event: 'reset', data: '{}' }]);
    } else if (position === feed.position) {
      await feed.next(stream.signal);
    } else {
      // The client was too slow: the batch is no longer kept, so it is read from the storage.
      ({ position } = await catchUp(stream, feed, position, seen));
    }
  }
}

interface Place {
  readonly position: string;
  /** Changes that were already sent and occur again after `position`. */
  readonly seen: Set<string>;
}

async function join(stream: EventStream, feed: ChangeFeedPoller, from: string | undefined): Promise<Place> {
  const now = feed.position;
  if (from === undefined || from === now || feed.after(from) !== undefined) {
    const position = from ?? now;
    // An id without data is not an event, but lets a client that disconnects now resume from here.
    await stream.send([{ id: position }]);
    return { position, seen: new Set() };
  }
  try {
    return await catchUp(stream, feed, from, new Set());
  } catch (error) {
    if (!isInvalidPosition(error)) throw error;
    await stream.send([{ id: now, event: 'reset', data: '{}' }]);
    return { position: now, seen: new Set() };
  }
}

/**
 * Reads from a position that the poller did not pass until it reaches the poller's position, and continues with the
 * poller from there. Changes that occur in both are noted, so that they are not sent twice.
 */
async function catchUp(stream: EventStream, feed: ChangeFeedPoller, from: string, seen: Set<string>): Promise<Place> {
  let position = from;
  for (;;) {
    const meeting = feed.position;
    const batch = await feed.read(position);
    note(seen, batch.changes);
    await stream.send(eventsOf(batch));
    ({ position } = batch);
    if (stream.signal.aborted || batch.changes.length === 0) return { position: meeting, seen };
  }
}

/**
 * Remembers changes. The poller is never far behind, so the newest are enough; a forgotten change is sent twice, but
 * never lost.
 */
function note(seen: Set<string>, changes: readonly Change[]): void {
  for (const change of changes) seen.add(keyOf(change));
  for (const oldest of seen) {
    if (seen.size <= MAX_SEEN) return;
    seen.delete(oldest);
  }
}

/** Converts a batch to events. Only the last event has an id: resuming within a batch would skip changes. */
function eventsOf({ changes, position }: ChangeBatch): StreamedEvent[] {
  return changes.map((change, index) => ({
    ...(index === changes.length - 1 ? { id: position } : {}),
    data: changeText(change),
  }));
}

function keyOf(change: Pick<Change, 'runId' | 'seq'>): string {
  return `${change.runId} ${change.seq}`;
}
