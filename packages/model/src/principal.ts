/** Who does something. `type: 'system'` is the engine itself (a timer, a recovery at start-up). */
export interface Actor {
  readonly type: 'user' | 'service' | 'system';
  /** The stable id: the token's `sub`, or the name of the part of the system. */
  readonly id: string;
  /** The name to show. */
  readonly name: string | null;
  /** Groups of the person, as the token says them. Used for candidate groups only, not stored with events. */
  readonly groups?: readonly string[];
  /** The person whom an agent acts for: the subject of a token in which somebody else acts (RFC 8693, 4.1). */
  readonly onBehalfOf?: string;
}

export const SYSTEM_ACTOR: Actor = Object.freeze({ type: 'system', id: 'countersign', name: 'Countersign' });

/** An actor as it is recorded: without groups. */
export interface RecordedActor {
  readonly type: Actor['type'];
  readonly id: string;
  readonly name: string | null;
  readonly onBehalfOf?: string;
}

export function recordedActor({ type, id, name, onBehalfOf }: Actor): RecordedActor {
  return { type, id, name, ...(onBehalfOf === undefined ? {} : { onBehalfOf }) };
}

/**
 * The person who answers for what an actor does, for the separation of duties: themselves, or whom an agent acts for. Nobody
 * stands behind a service or the system.
 */
export function personBehind({ type, id, onBehalfOf }: Pick<Actor, 'type' | 'id' | 'onBehalfOf'>): string | undefined {
  return type === 'user' ? id : onBehalfOf;
}
