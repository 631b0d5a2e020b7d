import { endsRun } from '@countersign/contract';
import { CoalescingLoader, runEventView, StoragePort } from '@countersign/core';
import type { RunEvent } from '@countersign/model';
import type { RouteContext } from '../app/route-context.js';
import { refusal } from '../app/problem.js';
import { remainingMs } from '../auth/principal.js';
import { EventStream } from './event-stream.js';

/** Events per page. Events may be large, and a page stays in memory while its reader is slow. */
const PAGE = 50;

/** Readers of the same run at the same position share a read. */
const reads = new WeakMap<object, CoalescingLoader<readonly RunEvent[]>>();

/**
 * Streams the events of a run after the number `after`, up to the event that ends the run. Responds with 204 if the run
 * has ended and there are no more events: a browser's EventSource then stops reconnecting.
 *
 * @throws {ApiError} `run_not_found`; `invalid_parameter` if the run has no event of that number yet
 */
export async function streamRunEvents(
  { ctx, services, principal }: Pick<RouteContext, 'ctx' | 'services' | 'principal'>,
  runId: string,
  after: number,
): Promise<void> {
  const { host, app, feed, streams } = services;
  const read = readerOf(host.get(StoragePort), runId);
  streams.assertStreamLimit(principal);
  const leave = await feed.listen();
  const watch = feed.watch(runId);
  try {
    const { run, state } = await app.runs.find(runId);
    if (after > state.seq)
      throw refusal(
        'invalid_parameter',
        `The run has only ${state.seq} events so far, so there is no event number ${after}. Omit the number to receive all events.`,
      );
    let last = after;
    let events = await read(last);
    if (run.outcome !== null && events.length === 0) {
      ctx.status = 204;
      return;
    }
    if (ctx.method === 'HEAD') {
      ctx.type = 'text/event-stream';
      ctx.status = 200;
      return;
    }
    const stream = new EventStream(ctx, remainingMs(principal, services.clock));
    const remove = streams.add(stream, principal);
    try {
      while (!stream.signal.aborted) {
        const end = events.findIndex(endsRun);
        const sent = end < 0 ? events : events.slice(0, end + 1);
        await stream.send(sent.map((event) => ({ id: String(event.seq), data: JSON.stringify(runEventView(event)) })));
        last = sent.at(-1)?.seq ?? last;
        // Events after the end (such as a later artifact) are sent only to requests that start after the end.
        if (end >= 0 || (run.outcome !== null && events.length < PAGE)) break;
        if (events.length < PAGE) await watch.moved(stream.signal);
        events = await read(last);
      }
    } finally {
      remove();
      stream.end();
    }
  } finally {
    watch.stop();
    leave();
  }
}

function readerOf(storage: StoragePort, runId: string): (after: number) => Promise<readonly RunEvent[]> {
  const shared = reads.get(storage) ?? new CoalescingLoader<readonly RunEvent[]>();
  reads.set(storage, shared);
  return (after) => shared.load(`${runId}@${after}`, () => storage.listRunEvents(runId, after, PAGE));
}
