import { sha256Hex } from '#sha256';
import { canonicalJson } from './canonical-json.js';
import { isJsonObject, type Json, type JsonObject } from './json.js';
import type { PersonalDataScope } from './personal-data-scope.js';
import type { RecordedActor } from './principal.js';
import type { RunEventType } from './run-event-definitions.js';

/** A person that an event names. */
export type Person = Pick<RecordedActor, 'id' | 'type'>;

/** The members of an event's private part that name people only by id (one person or a list), by event type. */
const PERSON_MEMBERS: Readonly<Record<string, readonly string[]>> = Object.freeze<
  Partial<Record<RunEventType, readonly string[]>>
>({
  'run.started': ['deployedBy', 'contributors'],
  'run.migrated': ['deployedBy', 'leftDeployedBy'],
  'decision.evaluated': ['deployedBy'],
  'message.received': ['contributors'],
  'signal.received': ['contributors'],
  'child.ended': ['contributors'],
  'contributors.added': ['contributors'],
  'escalation.thrown': ['contributors'],
  'agent.call.requested': ['candidateUsers'],
  'approval.requested': ['candidateUsers'],
  'approval.reassigned': ['candidateUsers'],
  'approval.voted': ['inPlaceOf'],
  'approval.delegated': ['to'],
});

/** The members of an audit event's `data` that name a person only by id, by action. */
const AUDIT_PERSON_MEMBERS: Readonly<Record<string, readonly string[]>> = Object.freeze({
  'absence.set': ['subject', 'substitute'],
  'absence.bind': ['subject'],
  'absence.end': ['subject'],
  'signing_key.enrol': ['subject'],
});

/**
 * The people that an event names, by the member of its private part that names them: one person, or a non-empty list.
 */
export type NamedPeople = Readonly<Record<string, Person | readonly Person[]>>;

/**
 * Returns the digest that binds a person to the hashed part of an event: SHA-256 (hex) over the RFC 8785 form of `{id,
 * salt, type}`.
 */
export function computePersonDigest({ id, type }: Person, salt: string): string {
  return sha256Hex(`{"id":${canonicalJson(id)},"salt":${canonicalJson(salt)},"type":${canonicalJson(type)}}`);
}

/**
 * Returns the people that an event names: `actor` in all events, and the members listed in {@link PERSON_MEMBERS}.
 * People named only by id have the type `user`. The system itself is not a person.
 */
export function findPeopleInEvent(type: string, privatePart: Readonly<Record<string, Json | undefined>>): NamedPeople {
  const { actor } = privatePart;
  const people: Record<string, Person | readonly Person[]> = {};
  if (isPerson(actor)) people['actor'] = actor;
  for (const member of Object.hasOwn(PERSON_MEMBERS, type) ? (PERSON_MEMBERS[type] ?? []) : []) {
    const named = privatePart[member];
    if (typeof named === 'string') people[member] = toUser(named);
    else if (Array.isArray(named) && named.length > 0)
      people[member] = named.filter((id) => typeof id === 'string').map(toUser);
  }
  return people;
}

/**
 * Returns the people that an audit event names: its `actor`, and the members of `data` listed in {@link
 * AUDIT_PERSON_MEMBERS}.
 */
export function findPeopleInAudit(
  action: string,
  actor: Json | undefined,
  data: Readonly<Record<string, Json | undefined>>,
): Readonly<Record<string, Person>> {
  const people: Record<string, Person> = {};
  if (isPerson(actor)) people['actor'] = { id: actor.id, type: actor.type };
  for (const member of Object.hasOwn(AUDIT_PERSON_MEMBERS, action) ? (AUDIT_PERSON_MEMBERS[action] ?? []) : []) {
    const named = data[member];
    if (typeof named === 'string') people[member] = toUser(named);
  }
  return people;
}

/** Returns the key under which a person's salt is stored. */
export function getSaltKey({ id, type }: Person): string {
  return `${type}:${id}`;
}

/**
 * Returns whether a salt belongs to a person: its key has their id (as a user or a service), or another of their names
 * that the erasure covers.
 */
export function isSaltOfPerson(key: string, id: string, scope: PersonalDataScope): boolean {
  const ids = [getSaltKey({ id, type: 'user' }), getSaltKey({ id, type: 'service' })];
  if (ids.includes(key)) return true;
  const named = key.startsWith('user:') ? key.slice('user:'.length) : undefined;
  return named !== undefined && scope.eraseId(named) !== named;
}

function toUser(id: string): Person {
  return { type: 'user', id };
}

function isPerson(actor: Json | undefined): actor is JsonObject & Person {
  return (
    isJsonObject(actor) && typeof actor['id'] === 'string' && (actor['type'] === 'user' || actor['type'] === 'service')
  );
}

/**
 * The salts of the people of a run, one for each person. All digests of a person in the run are equal; in other runs
 * they differ.
 */
export class PersonSalts {
  readonly #salts: Map<string, string>;
  #hasNewSalts = false;

  /**
   * @param known salts created earlier in the run, from {@link PersonSalts.toRecord}
   * @param createSalt returns 16 random bytes as hex
   */
  constructor(
    known: Readonly<Record<string, string>> | undefined,
    private readonly createSalt: () => string,
  ) {
    this.#salts = new Map(Object.entries(known ?? {}));
  }

  /** Whether a salt was created for a new person. */
  get hasNewSalts(): boolean {
    return this.#hasNewSalts;
  }

  getOrCreate({ id, type }: Person): string {
    const key = getSaltKey({ id, type });
    const known = this.#salts.get(key);
    if (known !== undefined) return known;
    const salt = this.createSalt();
    this.#salts.set(key, salt);
    this.#hasNewSalts = true;
    return salt;
  }

  /** Returns the salts by type and id of the person. */
  toRecord(): Record<string, string> {
    return Object.fromEntries(this.#salts);
  }
}
