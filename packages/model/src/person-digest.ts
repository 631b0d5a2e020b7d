import { sha256Hex } from '#sha256';
import { canonicalJson } from './canonical-json.js';
import { isJsonObject, type Json, type JsonObject } from './json.js';
import type { PersonalDataScope } from './personal-data-scope.js';
import type { RecordedActor } from './principal.js';
import type { RunEventType } from './run-event-map.js';

/** Somebody whom an event names. */
export type Person = Pick<RecordedActor, 'id' | 'type'>;

/** The members of an event's private part that name people by id alone, one or a list of them, by the type of the event. */
const NAMED_BY_ID: Readonly<Record<string, readonly string[]>> = Object.freeze<
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

/** The members of an audit event's `data` that name a person by id alone, by its action. */
const NAMED_IN_AUDIT: Readonly<Record<string, readonly string[]>> = Object.freeze({
  'absence.set': ['subject', 'substitute'],
  'absence.bind': ['subject'],
  'absence.end': ['subject'],
  'signing_key.enrol': ['subject'],
});

/** The people whom an event names, by the member of its private part that names them: one person, or a list that is not empty. */
export type NamedPeople = Readonly<Record<string, Person | readonly Person[]>>;

/** Binds a person to the hashed part of an event: SHA-256 (hex) over the RFC 8785 form of `{id, salt, type}`. */
export function personDigest({ id, type }: Person, salt: string): string {
  return sha256Hex(`{"id":${canonicalJson(id)},"salt":${canonicalJson(salt)},"type":${canonicalJson(type)}}`);
}

/**
 * The people whom an event names: `actor` in all events, and those that {@link NAMED_BY_ID} lists. Whoever is named by id
 * alone has the type `user`. The system itself is not a person.
 */
export function peopleNamedBy(type: string, privatePart: Readonly<Record<string, Json | undefined>>): NamedPeople {
  const { actor } = privatePart;
  const people: Record<string, Person | readonly Person[]> = {};
  if (isPerson(actor)) people['actor'] = actor;
  for (const member of Object.hasOwn(NAMED_BY_ID, type) ? (NAMED_BY_ID[type] ?? []) : []) {
    const named = privatePart[member];
    if (typeof named === 'string') people[member] = byId(named);
    else if (Array.isArray(named) && named.length > 0)
      people[member] = named.filter((id) => typeof id === 'string').map(byId);
  }
  return people;
}

/** The people whom an audit event names: its `actor`, and those in `data` that {@link NAMED_IN_AUDIT} lists. */
export function peopleNamedInAudit(
  action: string,
  actor: Json | undefined,
  data: Readonly<Record<string, Json | undefined>>,
): Readonly<Record<string, Person>> {
  const people: Record<string, Person> = {};
  if (isPerson(actor)) people['actor'] = { id: actor.id, type: actor.type };
  for (const member of Object.hasOwn(NAMED_IN_AUDIT, action) ? (NAMED_IN_AUDIT[action] ?? []) : []) {
    const named = data[member];
    if (typeof named === 'string') people[member] = byId(named);
  }
  return people;
}

/** By what the salt of a person is kept. */
export function saltKey({ id, type }: Person): string {
  return `${type}:${id}`;
}

/** Whether a salt is one of a person: of their id, also as that of a service, or of another name that an erasure is about. */
export function isSaltOf(key: string, id: string, scope: PersonalDataScope): boolean {
  const ids = [saltKey({ id, type: 'user' }), saltKey({ id, type: 'service' })];
  if (ids.includes(key)) return true;
  const named = key.startsWith('user:') ? key.slice('user:'.length) : undefined;
  return named !== undefined && scope.person(named) !== named;
}

function byId(id: string): Person {
  return { type: 'user', id };
}

function isPerson(actor: Json | undefined): actor is JsonObject & Person {
  return (
    isJsonObject(actor) && typeof actor['id'] === 'string' && (actor['type'] === 'user' || actor['type'] === 'service')
  );
}

/**
 * The salts of the people of a run: one for each person, so that within the run the digests of one person are equal, and in
 * another run they are others.
 */
export class PersonSalts {
  readonly #salts: Map<string, string>;
  #isExtended = false;

  /**
   * @param known those that the run has drawn before, as {@link PersonSalts.all} gave them
   * @param draw gives 16 random bytes as hex
   */
  constructor(
    known: Readonly<Record<string, string>> | undefined,
    private readonly draw: () => string,
  ) {
    this.#salts = new Map(Object.entries(known ?? {}));
  }

  /** Whether a person was met who was not known before. */
  get isExtended(): boolean {
    return this.#isExtended;
  }

  of({ id, type }: Person): string {
    const key = saltKey({ id, type });
    const known = this.#salts.get(key);
    if (known !== undefined) return known;
    const salt = this.draw();
    this.#salts.set(key, salt);
    this.#isExtended = true;
    return salt;
  }

  /** By type and id of the person. */
  all(): Record<string, string> {
    return Object.fromEntries(this.#salts);
  }
}
