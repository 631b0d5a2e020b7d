import { eventRoutes } from '../routes/events.js';
import type { Change } from '../schemas/change.js';
import { endsRun, type RunEvent } from '../schemas/run-event.js';
import { follow, type FollowOptions } from './follow.js';
import type { Transport } from './transport.js';

export interface StreamRunEventsArgs {
  readonly runId: string;
  /** Begin behind this `seq`; at the first event where it is left out. */
  readonly after?: number;
}

/** A change, or that changes were lost and lists have to be loaded again. `id` resumes behind it. */
export type ChangeMessage =
  | { readonly type: 'change'; readonly id: string | undefined; readonly change: Change }
  | { readonly type: 'reset'; readonly id: string | undefined };

/** The events of a run, oldest first, as they happen; ends with the event that ends the run. */
export async function* streamRunEvents(
  transport: Transport,
  { runId, after }: StreamRunEventsArgs,
  options: FollowOptions = {},
): AsyncGenerator<RunEvent, void, undefined> {
  const from = after === undefined ? options : { ...options, lastEventId: String(after) };
  for await (const { data } of follow(transport, eventRoutes.listRunEvents, { params: { runId } }, from)) {
    const event = JSON.parse(data) as RunEvent;
    yield event;
    if (endsRun(event)) {
      return;
    }
  }
}

/** The changes that lists and inboxes need, from now on or behind `lastEventId`; without an end. */
export async function* streamChanges(
  transport: Transport,
  options: FollowOptions = {},
): AsyncGenerator<ChangeMessage, void, undefined> {
  for await (const { id, event, data } of follow(transport, eventRoutes.streamChanges, {}, options)) {
    yield event === 'reset' ? { type: 'reset', id } : { type: 'change', id, change: JSON.parse(data) as Change };
  }
}
