/** The principal that performs an action. `type: 'system'` is the engine itself (a timer, a recovery at start-up). */
export interface Actor {
  readonly type: 'user' | 'service' | 'system';
  /** The stable id: the token's `sub`, or the name of the part of the system. */
  readonly id: string;
  /** The display name. */
  readonly name: string | null;
  /** Other names of the person that the issuer guarantees, such as e-mail address or login; the usual one first. */
  readonly userNames?: readonly string[];
  /** Groups of the person according to the token. Used only for candidate groups, not stored with events. */
  readonly groups?: readonly string[];
  /** The person that an agent acts for: the subject of a token with another actor (RFC 8693, 4.1). */
  readonly onBehalfOf?: string;
}

export const SYSTEM_ACTOR: Actor = Object.freeze({ type: 'system', id: 'countersign', name: 'Countersign' });

/**
 * Creates the actor of what a job does: the worker of its type, or its agent.
 *
 * @param agentName `null`: the job is not one of an agent
 */
export function createJobActor(jobType: string, agentName: string | null): Actor {
  const id = agentName === null ? `${WORKER_PREFIX}${jobType}` : `${AGENT_PREFIX}${agentName}`;
  return { type: 'service', id, name: agentName ?? jobType };
}

/** Returns whether an id is one of the engine itself, of a worker or of an agent. */
export function isMachineId(id: string): boolean {
  return id === SYSTEM_ACTOR.id || id.startsWith(WORKER_PREFIX) || id.startsWith(AGENT_PREFIX);
}

const WORKER_PREFIX = 'worker:';
const AGENT_PREFIX = 'agent:';

/** An actor as it is recorded: without groups, and with one user name. */
export interface RecordedActor {
  readonly type: Actor['type'];
  readonly id: string;
  readonly name: string | null;
  readonly userName?: string;
  readonly onBehalfOf?: string;
}

export function toRecordedActor(actor: Actor | RecordedActor): RecordedActor {
  const { type, id, name, onBehalfOf } = actor;
  const userName = 'userNames' in actor ? actor.userNames?.[0] : (actor as RecordedActor).userName;
  return {
    type,
    id,
    name,
    ...(userName === undefined ? {} : { userName }),
    ...(onBehalfOf === undefined ? {} : { onBehalfOf }),
  };
}

/** A person with all names by which a BPMN model, a policy or another person may refer to them. */
export type NamedActor = Pick<Actor, 'id' | 'userNames'>;

/** Returns whether a name refers to a person: it is their id, or one of their user names, whose case is ignored. */
export function matchesName({ id, userNames = [] }: NamedActor, name: string): boolean {
  if (name === id) return true;
  const folded = foldCase(name);
  return userNames.some((each) => foldCase(each) === folded);
}

/** Returns a name with its ASCII letters in lower case, like PostgreSQL's `lower` with the collation "C". */
export function foldCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/**
 * Returns the person who is responsible for an actor's actions, for the separation of duties: the actor, or the person
 * that an agent acts for. A service or the system has no such person.
 */
export function getResponsiblePersonId({
  type,
  id,
  onBehalfOf,
}: Pick<Actor, 'type' | 'id' | 'onBehalfOf'>): string | undefined {
  return type === 'user' ? id : onBehalfOf;
}
