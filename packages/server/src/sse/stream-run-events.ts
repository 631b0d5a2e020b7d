import { endsRun } from '@countersign/contract';
import { CoalescingLoader, toRunEventView, StoragePort } from '@countersign/core';
import type { RunEvent } from '@countersign/model';
import type { RouteContext } from '../app/route-context.js';
import { createRefusal } from '../app/problem.js';
import { getRemainingLifetimeMs } from '../auth/principal.js';
import { EventStream } from './event-stream.js';

/** Events per page. Events may be large, and a page stays in memory while its reader is slow. */
const PAGE_SIZE = 50;

/** Readers of the same run at the same position share a read. */
const eventLoaders = new WeakMap<object, CoalescingLoader<readonly RunEvent[]>>();

/**
 * Streams the events of a run after the number `after`, up to the event that ends the run. Responds with 204 if the run
 * has ended and there are no more events: a browser's EventSource then stops reconnecting.
 *
 * @throws {ApiError} `run_not_found`; `invalid_parameter` if the run has no event with that number yet
 */
export async function streamRunEvents(
  { ctx, services, principal }: Pick<RouteContext, 'ctx' | 'services' | 'principal'>,
  runId: string,
  after: number,
): Promise<void> {
  const { host, app, feed, streams } = services;
  const read = createReader(host.get(StoragePort), runId);
  streams.assertStreamLimit(principal);
  const stopListening = await feed.listen();
  const watch = feed.watch(runId);
  try {
    const { run, state } = await app.runs.find(runId);
    if (after > state.seq)
      throw createRefusal(
        'invalid_parameter',
        `The run has only ${state.seq} events so far, so there is no event number ${after}. Omit the number to receive all events.`,
      );
    let lastSeq = after;
    let events = await read(lastSeq);
    if (run.outcome !== null && events.length === 0) {
      ctx.status = 204;
      return;
    }
    if (ctx.method === 'HEAD') {
      ctx.type = 'text/event-stream';
      ctx.status = 200;
      return;
    }
    const stream = new EventStream(ctx, getRemainingLifetimeMs(principal, services.clock));
    const unregister = streams.add(stream, principal);
    try {
      while (!stream.signal.aborted) {
        const endIndex = events.findIndex(endsRun);
        const eventsToSend = endIndex < 0 ? events : events.slice(0, endIndex + 1);
        await stream.send(
          eventsToSend.map((event) => ({ id: String(event.seq), data: JSON.stringify(toRunEventView(event)) })),
        );
        lastSeq = eventsToSend.at(-1)?.seq ?? lastSeq;
        // Events after the end (such as a later artifact) are sent only to requests that start after the end.
        if (endIndex >= 0 || (run.outcome !== null && events.length < PAGE_SIZE)) break;
        if (events.length < PAGE_SIZE) await watch.waitForChange(stream.signal);
        events = await read(lastSeq);
      }
    } finally {
      unregister();
      stream.end();
    }
  } finally {
    watch.stop();
    stopListening();
  }
}

function createReader(storage: StoragePort, runId: string): (after: number) => Promise<readonly RunEvent[]> {
  const loader = eventLoaders.get(storage) ?? new CoalescingLoader<readonly RunEvent[]>();
  eventLoaders.set(storage, loader);
  return (after) => loader.load(`${runId}@${after}`, () => storage.listRunEvents(runId, after, PAGE_SIZE));
}
