import { sha256Hex } from '#sha256';
import { canonicalJson } from './canonical-json.js';
import type { RunEventDraft } from './advance-result.js';
import { runToCompletion } from './time-slicing.js';
import { isoTime } from './iso-time.js';
import type { JsonObject } from './json.js';
import { findPeopleInEvent, computePersonDigest, type PersonSalts } from './person-digest.js';

/** The previous hash of the first event of a run. */
export const GENESIS_HASH = '0'.repeat(64);

/** A stored run event, chained to the previous event. */
export interface RunEvent extends RunEventDraft {
  /** 16 random bytes in hex; `null` if there is no private part, or after an erasure. */
  readonly salt: string | null;
  /** SHA-256 (hex) over the RFC 8785 form of `{private, salt}`; remains when both are erased. */
  readonly commitment: string | null;
  readonly previousHash: string;
  /** SHA-256 (hex), see {@link hashRunEvent}. */
  readonly hash: string;
}

/**
 * An event that has just been chained, with the serialized texts that were hashed, so that they can be stored or sent
 * without serializing them again.
 */
export interface ChainedEvent extends RunEvent {
  /** The RFC 8785 text of `data`. */
  readonly dataText: string;
  /** The RFC 8785 text of `private`. */
  readonly privateText: string | null;
}

/** The fields that the hash of an event covers. */
interface HashedEventFields {
  readonly runId: string;
  readonly seq: number;
  readonly at: number;
  readonly type: string;
  readonly stepId: string | null;
  readonly elementId: string | null;
  /** The RFC 8785 text of the data. */
  readonly dataText: string;
  readonly commitment: string | null;
  readonly previousHash: string;
}

/** Returns SHA-256 over the RFC 8785 form of the fields, `at` in RFC 3339. */
function hashRunEvent(fields: HashedEventFields): string {
  // The keys are in RFC 8785 order, so only `data` had to be sorted. A spec compares the hash with that of
  // `canonicalJson`.
  return sha256Hex(
    `{"at":"${isoTime(fields.at)}","commitment":${canonicalJson(fields.commitment)},` +
      `"data":${fields.dataText},"elementId":${canonicalJson(fields.elementId)},` +
      `"previousHash":"${fields.previousHash}","runId":"${fields.runId}","seq":${fields.seq},` +
      `"stepId":${canonicalJson(fields.stepId)},"type":"${fields.type}"}`,
  );
}

/**
 * Returns SHA-256 over the RFC 8785 form of `{private, salt}`.
 *
 * @param privateText the RFC 8785 text of the private part
 */
export function computeCommitment(privateText: string, salt: string): string {
  return sha256Hex(`{"private":${privateText},"salt":"${salt}"}`);
}

/**
 * Chains drafts after an event. An event that names people gets `personDigests` in `data`, which is hashed unchanged,
 * and their salts as `personSalts` in `private`. A name can be verified against its digest while its salt exists, and
 * can be erased without breaking the chain.
 *
 * @param createSalt returns 16 random bytes as hex; a parameter because this function does not generate random values
 * itself
 * @param personSalts salts of the run; new people are added
 */
export function chainEvents(
  runId: string,
  previousHash: string,
  drafts: readonly RunEventDraft[],
  createSalt: (seq: number) => string,
  personSalts: PersonSalts,
): ChainedEvent[] {
  return runToCompletion(chainEventsInPieces(runId, previousHash, drafts, createSalt, personSalts));
}

/** Works like {@link chainEvents}, but yields after each event, as a command may emit thousands. */
export function* chainEventsInPieces(
  runId: string,
  previousHash: string,
  drafts: readonly RunEventDraft[],
  createSalt: (seq: number) => string,
  personSalts: PersonSalts,
): Generator<void, ChainedEvent[]> {
  const events: ChainedEvent[] = [];
  let previous = previousHash;
  for (const draft of drafts) {
    const { seq, at, type, stepId, elementId } = draft;
    const { data, private: privatePart } = withPersonDigests(draft, personSalts);
    const eventSalt = privatePart === null ? null : createSalt(seq);
    const dataText = canonicalJson(data);
    const privateText = privatePart === null ? null : canonicalJson(privatePart);
    const commitment = privateText === null || eventSalt === null ? null : computeCommitment(privateText, eventSalt);
    const eventHash = hashRunEvent({
      runId,
      seq,
      at,
      type,
      stepId,
      elementId,
      dataText,
      commitment,
      previousHash: previous,
    });
    events.push({
      seq,
      at,
      type,
      stepId,
      elementId,
      data,
      private: privatePart,
      salt: eventSalt,
      commitment,
      previousHash: previous,
      hash: eventHash,
      dataText,
      privateText,
    });
    previous = eventHash;
    yield;
  }
  return events;
}

function withPersonDigests(draft: RunEventDraft, salts: PersonSalts): Pick<RunEventDraft, 'data' | 'private'> {
  if (draft.private === null) return draft;
  const people = Object.entries(findPeopleInEvent(draft.type, draft.private));
  if (people.length === 0) return draft;
  const personDigests: JsonObject = {};
  const personSalts: JsonObject = {};
  for (const [member, named] of people) {
    if ('id' in named) {
      personSalts[member] = salts.getOrCreate(named);
      personDigests[member] = computePersonDigest(named, salts.getOrCreate(named));
    } else {
      personSalts[member] = named.map((person) => salts.getOrCreate(person));
      personDigests[member] = named.map((person) => computePersonDigest(person, salts.getOrCreate(person)));
    }
  }
  return { data: { ...draft.data, personDigests }, private: { ...draft.private, personSalts } };
}
