import type { Change } from '../schemas/change.js';
import { endsRun } from '../schemas/run-end.js';
import type { RunEvent } from '../schemas/run-event.js';
import { followEvents, type FollowOptions } from './follow-events.js';
import { ROUTE_CALLS } from './route-calls.js';
import type { Transport } from './transport.js';

export interface StreamRunEventsArgs {
  readonly runId: string;
  /** Start after this `seq`. Default: start with the first event. */
  readonly after?: number;
}

/**
 * A change, or a reset: changes were lost and lists must be reloaded. To resume after the message, pass `id` as
 * `lastEventId`.
 */
export type ChangeMessage =
  | { readonly type: 'change'; readonly id: string | undefined; readonly change: Change }
  | { readonly type: 'reset'; readonly id: string | undefined };

/** Streams the events of a run, oldest first; ends with the event that ends the run. */
export async function* streamRunEvents(
  transport: Transport,
  { runId, after }: StreamRunEventsArgs,
  options: FollowOptions = {},
): AsyncGenerator<RunEvent, void, undefined> {
  const followOptions = after === undefined ? options : { ...options, lastEventId: String(after) };
  for await (const { data } of followEvents(
    transport,
    ROUTE_CALLS.listRunEvents,
    { params: { runId } },
    followOptions,
  )) {
    const event = JSON.parse(data) as RunEvent;
    yield event;
    if (endsRun(event)) {
      return;
    }
  }
}

/** Streams the changes for lists and inboxes, from now on or after `lastEventId`; never ends. */
export async function* streamChanges(
  transport: Transport,
  options: FollowOptions = {},
): AsyncGenerator<ChangeMessage, void, undefined> {
  for await (const { id, event, data } of followEvents(transport, ROUTE_CALLS.streamChanges, {}, options)) {
    yield event === 'reset' ? { type: 'reset', id } : { type: 'change', id, change: JSON.parse(data) as Change };
  }
}
