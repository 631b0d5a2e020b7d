import { sha256Hex } from '#sha256';
import type { AuditEntry, AuditRecord } from './audit.js';
import { canonicalJson } from './canonical-json.js';
import { isoTime } from './iso-time.js';
import type { JsonObject } from './json.js';
import { findPeopleInAudit, computePersonDigest, PersonSalts } from './person-digest.js';
import { toRecordedActor } from './principal.js';
import { computeCommitment } from './run-event.js';

/** The fields that the hash of an audit record covers. */
export type HashedAuditFields = Pick<
  AuditRecord,
  'action' | 'at' | 'auditId' | 'commitment' | 'previousHash' | 'result' | 'runId' | 'seq' | 'target'
>;

/**
 * A record that has just been chained, with the serialized texts that were hashed, so that they can be stored without
 * serializing them again.
 */
export interface ChainedAudit extends AuditRecord {
  /** The RFC 8785 text of `actor`. */
  readonly actorText: string | null;
  /** The RFC 8785 text of `target`. */
  readonly targetText: string;
  /** The RFC 8785 text of `data`. */
  readonly dataText: string;
}

/** Returns the hash of an audit record: SHA-256 (hex) over the RFC 8785 form of these fields, `at` in RFC 3339. */
export function hashAuditRecord(fields: HashedAuditFields): string {
  return hashFields(fields, canonicalJson(fields.target));
}

function hashFields(fields: Omit<HashedAuditFields, 'target'>, targetText: string): string {
  // The keys are in RFC 8785 order, so only `target` must be sorted. A spec compares the hash with that of
  // `canonicalJson`.
  return sha256Hex(
    `{"action":${JSON.stringify(fields.action)},"at":"${isoTime(fields.at)}",` +
      `"auditId":"${fields.auditId}","commitment":"${fields.commitment}","previousHash":"${fields.previousHash}",` +
      `"result":"${fields.result}","runId":${fields.runId === null ? 'null' : `"${fields.runId}"`},` +
      `"seq":${fields.seq},"target":${targetText}}`,
  );
}

/**
 * Returns the commitment to the private parts: SHA-256 (hex) over the RFC 8785 form of `{private: {actor, data, from},
 * salt}`.
 */
export function computeAuditCommitment(
  { actor, data, from }: Pick<AuditEntry, 'actor' | 'data' | 'from'>,
  salt: string,
): string {
  return computeTextCommitment(serializeActor(actor), canonicalJson(data), from, salt);
}

function computeTextCommitment(actorText: string | null, dataText: string, from: string | null, salt: string): string {
  return computeCommitment(`{"actor":${actorText ?? 'null'},"data":${dataText},"from":${canonicalJson(from)}}`, salt);
}

/** Returns the RFC 8785 text of an actor. Its other members (groups) are neither recorded nor committed to. */
function serializeActor(actor: AuditEntry['actor']): string | null {
  return actor === null ? null : canonicalJson(toRecordedActor(actor));
}

/**
 * Chains entries after a record of a run's chain (or of the server's chain, with `null`). An entry that names people
 * gets `personDigests` in its target, which is hashed, and their salts as `personSalts` in its data, which is private.
 *
 * @param previousSeq position of the last record, 0 for a new chain
 * @param previousHash hash of the last record, `GENESIS_HASH` for a new chain
 * @param createId returns a UUIDv7 for an entry, from its time in ms and its position
 * @param createSalt returns 16 random bytes as hex. Both are parameters because this function does not generate random
 * values itself.
 * @param personSalts salts of the run, so that a person has the same digest in both of its chains. Without them, each
 * entry has separate salts, so that nothing in the server's chain links the entries of a person after the names are
 * erased.
 */
export function chainAudit(
  runId: string | null,
  previousSeq: number,
  previousHash: string,
  entries: readonly AuditEntry[],
  createId: (at: number, seq: number) => string,
  createSalt: (seq: number) => string,
  personSalts?: PersonSalts,
): ChainedAudit[] {
  let previous = previousHash;
  return entries.map((entry, index) => {
    const seq = previousSeq + index + 1;
    const salt = createSalt(seq);
    const actorText = serializeActor(entry.actor);
    const { target, data } = withPersonDigests(entry, personSalts ?? new PersonSalts(undefined, () => createSalt(seq)));
    const targetText = canonicalJson(target);
    const dataText = canonicalJson(data);
    const record = {
      at: entry.at,
      actor: entry.actor === null ? null : toRecordedActor(entry.actor),
      action: entry.action,
      target,
      result: entry.result,
      from: entry.from,
      data,
      auditId: createId(entry.at, seq),
      runId,
      seq,
      salt,
      commitment: computeTextCommitment(actorText, dataText, entry.from, salt),
      previousHash: previous,
      hash: '',
      actorText,
      targetText,
      dataText,
    };
    previous = hashFields(record, targetText);
    record.hash = previous;
    return record;
  });
}

function withPersonDigests(
  { action, actor, target, data }: AuditEntry,
  salts: PersonSalts,
): Pick<AuditEntry, 'target' | 'data'> {
  const people = Object.entries(findPeopleInAudit(action, actor === null ? null : { ...toRecordedActor(actor) }, data));
  if (people.length === 0) return { target, data };
  const personDigests: JsonObject = {};
  const personSalts: JsonObject = {};
  for (const [member, person] of people) {
    personSalts[member] = salts.getOrCreate(person);
    personDigests[member] = computePersonDigest(person, salts.getOrCreate(person));
  }
  return { target: { ...target, personDigests }, data: { ...data, personSalts } };
}
