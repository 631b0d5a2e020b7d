import type { RunEventDraft } from './advance-result.js';
import { RUN_EVENT_DEFINITIONS, type RunEventDefinition, type RunEventType } from './run-event-definitions.js';
import type { RunEventMap } from './run-event-map.js';
import type { JsonObject } from './json.js';
import type { RunEvent } from './run-event.js';

/** A stored event of a type whose data and private part are known. The private part is `null` after an erasure. */
export type TypedRunEvent<K extends RunEventType> = RunEvent & {
  readonly type: K;
  readonly data: RunEventMap[K]['data'];
  readonly private: RunEventMap[K]['private'] | null;
};

type TypedMembers<K extends RunEventType, Event> = Pick<TypedRunEvent<K>, Extract<keyof Event, keyof RunEvent>>;

/** Returns the data of an event that is written now, with its version unless that is 1. */
export function withRunEventVersion(type: RunEventType, data: JsonObject): JsonObject {
  const eventVersion = RUN_EVENT_DEFINITIONS[type].version;
  return eventVersion === 1 ? data : { ...data, eventVersion };
}

/** Returns the version of an event ({@link RUN_EVENT_DEFINITIONS}). */
export function getRunEventVersion({ data }: Pick<RunEventDraft, 'data'>): number {
  const { eventVersion } = data;
  return typeof eventVersion === 'number' ? eventVersion : 1;
}

/** Returns whether a newer server wrote the event, so that the meaning of its members is unknown here. */
export function isNewerRunEvent(event: Pick<RunEventDraft, 'type' | 'data'>): boolean {
  const definitions: Readonly<Partial<Record<string, RunEventDefinition>>> = RUN_EVENT_DEFINITIONS;
  return getRunEventVersion(event) > (definitions[event.type]?.version ?? 0);
}

/** Returns whether an event has a type, in a version whose members are known here. */
export function isRunEvent<K extends RunEventType, Event extends Pick<RunEventDraft, 'type' | 'data'>>(
  event: Event,
  type: K,
): event is Event & TypedMembers<K, Event> {
  return event.type === type && !isNewerRunEvent(event);
}
