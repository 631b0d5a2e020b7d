/** Who does something. `type: 'system'` is the engine itself (a timer, a recovery at start-up). */
export interface Actor {
  readonly type: 'user' | 'service' | 'system';
  /** The stable id: the token's `sub`, or the name of the part of the system. */
  readonly id: string;
  /** The name to show. */
  readonly name: string | null;
  /** Groups of the person, as the token says them. Used for candidate groups only, not stored with events. */
  readonly groups?: readonly string[];
}

export const SYSTEM_ACTOR: Actor = Object.freeze({ type: 'system', id: 'countersign', name: 'Countersign' });

/** An actor as it is recorded: without groups. */
export interface RecordedActor {
  readonly type: Actor['type'];
  readonly id: string;
  readonly name: string | null;
}

export function recordedActor(actor: Actor): RecordedActor {
  return { type: actor.type, id: actor.id, name: actor.name };
}
