import { type Change, serializeChange } from '@countersign/core';
import type { RouteContext } from '../app/route-context.js';
import { isInvalidPosition, type ChangeBatch, type ChangeFeedPoller } from './change-feed-poller.js';
import { getRemainingLifetimeMs } from '../auth/principal.js';
import { EventStream, type StreamedEvent } from './event-stream.js';

const MAX_REMEMBERED_CHANGES = 10_000;

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
  const stopListening = await feed.listen();
  try {
    const stream = new EventStream(ctx, getRemainingLifetimeMs(principal, services.clock));
    const unregister = streams.add(stream, principal);
    try {
      await followFeed(stream, feed, from);
    } finally {
      unregister();
      stream.end();
    }
  } finally {
    stopListening();
  }
}

async function followFeed(stream: EventStream, feed: ChangeFeedPoller, from: string | undefined): Promise<void> {
  let reportedAbsenceChangeCount = feed.absenceChangeCount;
  const start = await joinFeed(stream, feed, from);
  let { position } = start;
  const { sentChangeKeys } = start;
  while (!stream.signal.aborted) {
    const batch = feed.getBatchAfter(position);
    if (batch !== undefined) {
      await stream.send(
        toEvents({ ...batch, changes: batch.changes.filter((change) => !sentChangeKeys.delete(changeKey(change))) }),
      );
      ({ position } = batch);
    } else if (reportedAbsenceChangeCount !== feed.absenceChangeCount) {
      reportedAbsenceChangeCount = feed.absenceChangeCount;
      // Absences determine who may decide as a substitute, but are not part of any run. They change rarely, so clients
      // reload.
      await stream.send([{ event: 'reset', data: '{}' }]);
    } else if (position === feed.position) {
      await feed.waitForChanges(stream.signal);
    } else {
      // The client was too slow: the batch is no longer cached, so it is read from the storage.
      ({ position } = await catchUp(stream, feed, position, sentChangeKeys));
    }
  }
}

interface StreamPosition {
  readonly position: string;
  /** Changes that were already sent and occur again after `position`. */
  readonly sentChangeKeys: Set<string>;
}

async function joinFeed(
  stream: EventStream,
  feed: ChangeFeedPoller,
  from: string | undefined,
): Promise<StreamPosition> {
  const currentPosition = feed.position;
  if (from === undefined || from === currentPosition || feed.getBatchAfter(from) !== undefined) {
    const position = from ?? currentPosition;
    // An id without data is not an event, but lets a client that disconnects now resume from here.
    await stream.send([{ id: position }]);
    return { position, sentChangeKeys: new Set() };
  }
  try {
    return await catchUp(stream, feed, from, new Set());
  } catch (error) {
    if (!isInvalidPosition(error)) throw error;
    await stream.send([{ id: currentPosition, event: 'reset', data: '{}' }]);
    return { position: currentPosition, sentChangeKeys: new Set() };
  }
}

/**
 * Reads the changes after a position from the storage, because the poller has not cached their batch, and sends them.
 * The stream then continues at the poller's position. Changes that occur again after that position are remembered, so
 * that they are not sent twice.
 */
async function catchUp(
  stream: EventStream,
  feed: ChangeFeedPoller,
  from: string,
  sentChangeKeys: Set<string>,
): Promise<StreamPosition> {
  let position = from;
  for (;;) {
    const feedPosition = feed.position;
    const batch = await feed.readBatch(position);
    rememberChanges(sentChangeKeys, batch.changes);
    await stream.send(toEvents(batch));
    ({ position } = batch);
    if (stream.signal.aborted || batch.changes.length === 0) return { position: feedPosition, sentChangeKeys };
  }
}

/**
 * Remembers changes. The poller is never far behind, so the newest changes are enough. A forgotten change is sent twice
 * but never lost.
 */
function rememberChanges(sentChangeKeys: Set<string>, changes: readonly Change[]): void {
  for (const change of changes) sentChangeKeys.add(changeKey(change));
  for (const oldest of sentChangeKeys) {
    if (sentChangeKeys.size <= MAX_REMEMBERED_CHANGES) return;
    sentChangeKeys.delete(oldest);
  }
}

/** Converts a batch to events. Only the last event has an id: resuming within a batch would skip changes. */
function toEvents({ changes, position }: ChangeBatch): StreamedEvent[] {
  return changes.map((change, index) => ({
    ...(index === changes.length - 1 ? { id: position } : {}),
    data: serializeChange(change),
  }));
}

function changeKey(change: Pick<Change, 'runId' | 'seq'>): string {
  return `${change.runId} ${change.seq}`;
}
