import { sha256Hex } from '#sha256';
import { canonicalJson } from './canonical-json.js';
import type { RunEventDraft } from './advance-result.js';
import { atOnce } from './in-turns.js';
import { isoTime } from './iso-time.js';
import type { JsonObject } from './json.js';
import { peopleNamedBy, personDigest, type PersonSalts } from './person-digest.js';

/** The hash that the first event of a run refers to. */
export const GENESIS_HASH = '0'.repeat(64);

/** A run event as it is stored: chained to the one before it. */
export interface RunEvent extends RunEventDraft {
  /** Hex, 16 random bytes; `null` where there is nothing private, or after an erasure. */
  readonly salt: string | null;
  /** SHA-256 (hex) over the RFC 8785 form of `{private, salt}`; stays when both are erased. */
  readonly commitment: string | null;
  readonly previousHash: string;
  /** SHA-256 (hex), see {@link hashRunEvent}. */
  readonly hash: string;
}

/** An event that has just been chained, with the texts that were hashed: whoever stores or sends it need not write them again. */
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

/** SHA-256 over the RFC 8785 form of the fields, `at` as an RFC 3339 text. */
function hashRunEvent(fields: HashedEventFields): string {
  // The keys stand in the order that RFC 8785 asks for, so only `data` had to be sorted; a spec compares the two ways.
  return sha256Hex(
    `{"at":"${isoTime(fields.at)}","commitment":${canonicalJson(fields.commitment)},` +
      `"data":${fields.dataText},"elementId":${canonicalJson(fields.elementId)},` +
      `"previousHash":"${fields.previousHash}","runId":"${fields.runId}","seq":${fields.seq},` +
      `"stepId":${canonicalJson(fields.stepId)},"type":"${fields.type}"}`,
  );
}

/** SHA-256 over the RFC 8785 form of `{private, salt}`. @param privateText the RFC 8785 text of what is private */
export function commitWith(privateText: string, salt: string): string {
  return sha256Hex(`{"private":${privateText},"salt":"${salt}"}`);
}

/**
 * Chains drafts behind an event. To an event that names people it adds `personDigests` to `data`, which is hashed as it
 * stands, and their salts as `personSalts` to `private`: so a name can be proven against the digest for as long as its salt
 * is there, and can be erased without breaking the chain.
 *
 * @param salt gives 16 random bytes as hex; a parameter, because this function draws nothing itself
 * @param personSalts those of the run, to which the people are added whom it did not know
 */
export function chainEvents(
  runId: string,
  previousHash: string,
  drafts: readonly RunEventDraft[],
  salt: (seq: number) => string,
  personSalts: PersonSalts,
): ChainedEvent[] {
  return atOnce(chainEventsInPieces(runId, previousHash, drafts, salt, personSalts));
}

/** As {@link chainEvents}, but yields behind each event, as a command may make thousands. */
export function* chainEventsInPieces(
  runId: string,
  previousHash: string,
  drafts: readonly RunEventDraft[],
  salt: (seq: number) => string,
  personSalts: PersonSalts,
): Generator<void, ChainedEvent[]> {
  const events: ChainedEvent[] = [];
  let previous = previousHash;
  for (const draft of drafts) {
    const { seq, at, type, stepId, elementId } = draft;
    const { data, private: privatePart } = withPersonDigests(draft, personSalts);
    const eventSalt = privatePart === null ? null : salt(seq);
    const dataText = canonicalJson(data);
    const privateText = privatePart === null ? null : canonicalJson(privatePart);
    const commitment = privateText === null || eventSalt === null ? null : commitWith(privateText, eventSalt);
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
  const people = Object.entries(peopleNamedBy(draft.type, draft.private));
  if (people.length === 0) return draft;
  const personDigests: JsonObject = {};
  const personSalts: JsonObject = {};
  for (const [member, named] of people) {
    if ('id' in named) {
      personSalts[member] = salts.of(named);
      personDigests[member] = personDigest(named, salts.of(named));
    } else {
      personSalts[member] = named.map((person) => salts.of(person));
      personDigests[member] = named.map((person) => personDigest(person, salts.of(person)));
    }
  }
  return { data: { ...draft.data, personDigests }, private: { ...draft.private, personSalts } };
}
