import { type Change, changeText } from '@countersign/core';
import type { RouteContext } from '../app/route-context.js';
import { isInvalidPosition, type ChangeBatch, type ChangeFeedPoller } from './change-feed-poller.js';
import { remainingMs } from '../auth/principal.js';
import { EventStream, type StreamedEvent } from './event-stream.js';

const MAX_SEEN = 10_000;

/** Streams what changes, from now on or behind a position that was given out earlier. Nothing is left out. */
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
      // Who may decide what, and in whose place, stands in no run. It is rare, and no client needs to know of it by name.
      await stream.send([{ event: 'reset', data: '{}' }]);
    } else if (position === feed.position) {
      await feed.next(stream.signal);
    } else {
      // Too slow: what was kept is gone, so it is read again from the storage.
      ({ position } = await catchUp(stream, feed, position, seen));
    }
  }
}

interface Place {
  readonly position: string;
  /** Changes that were sent already and will come up again behind `position`. */
  readonly seen: Set<string>;
}

async function join(stream: EventStream, feed: ChangeFeedPoller, from: string | undefined): Promise<Place> {
  const now = feed.position;
  if (from === undefined || from === now || feed.after(from) !== undefined) {
    const position = from ?? now;
    // An id without data is no event, but lets a client that loses the connection now resume from here.
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
 * Reads on from a position that the poller did not pass, until it is past where the poller stands; there it goes on with
 * everybody else. What the two have in common is noted, so that it is not sent twice.
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

/** The poller is never far behind, so the newest ones are enough; one that is forgotten is sent twice, never left out. */
function note(seen: Set<string>, changes: readonly Change[]): void {
  for (const change of changes) seen.add(keyOf(change));
  for (const oldest of seen) {
    if (seen.size <= MAX_SEEN) return;
    seen.delete(oldest);
  }
}

/** Only the last one has an id: resuming in the middle of a batch would leave something out. */
function eventsOf({ changes, position }: ChangeBatch): StreamedEvent[] {
  return changes.map((change, index) => ({
    ...(index === changes.length - 1 ? { id: position } : {}),
    data: changeText(change),
  }));
}

function keyOf(change: Pick<Change, 'runId' | 'seq'>): string {
  return `${change.runId} ${change.seq}`;
}
