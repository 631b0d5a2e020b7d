import { isJsonObject, type JsonObject } from '../json.js';
import type { RunEvent } from '../run-event.js';

/** A person that an event names. */
export interface NamedPerson {
  readonly id: string;
  readonly name: string | null;
}

/** Returns the actor of an event; `null` if it names none, or its private part is missing. */
export function readPerson({ private: privatePart }: Pick<RunEvent, 'private'>): NamedPerson | null {
  const actor = (privatePart as JsonObject | null)?.['actor'];
  if (!isJsonObject(actor) || typeof actor['id'] !== 'string') return null;
  return { id: actor['id'], name: typeof actor['name'] === 'string' ? actor['name'] : null };
}
