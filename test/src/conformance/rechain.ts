import {
  type AuditEntry,
  type AuditRecord,
  canonicalJson,
  chainAudit,
  chainEvents,
  findPeopleInAudit,
  findPeopleInEvent,
  GENESIS_HASH,
  getSaltKey,
  isJsonObject,
  type Json,
  type JsonObject,
  type Person,
  PersonSalts,
  type RunEvent,
  type RunEventDraft,
  sha256Hex,
} from '@countersign/model';
import { type Replacements, replaceValues } from './replacements.js';
import type { RunHistory } from './run-histories.js';

const NO_SALT = '0'.repeat(32);

/**
 * Chains the events of a run with the values of another one, by the functions of the product.
 *
 * @param expected the run whose values replace the others
 */
export function rechainEvents(expected: RunHistory, other: RunHistory, replacements: Replacements): RunEvent[] {
  const drafts = other.events.map((event, index): RunEventDraft => {
    const counterpart = expected.events[index];
    const draft = toDraft(event);
    if (counterpart === undefined) return draft;
    const { at, ...rest } = toDraft(counterpart);
    return { ...(replaceValues({ ...draft }, { ...rest }, replacements) as unknown as RunEventDraft), at };
  });
  const salts = expected.events.map(({ salt }) => salt);
  return chainEvents(
    expected.runId,
    GENESIS_HASH,
    drafts,
    (seq) => salts[seq - 1] ?? NO_SALT,
    collectPersonSalts(expected),
  );
}

/** Chains the audit records of a run with the values of another one, by the functions of the product. */
export function rechainAudit(expected: RunHistory, other: RunHistory, replacements: Replacements): AuditRecord[] {
  const entries = other.audit.map((record, index): AuditEntry => {
    const counterpart = expected.audit[index];
    const entry = toEntry(record);
    if (counterpart === undefined) return entry;
    const { at, ...rest } = toEntry(counterpart);
    const replaced = replaceValues(
      { ...entry } as unknown as JsonObject,
      { ...rest } as unknown as JsonObject,
      replacements,
    );
    const { data, ...others } = replaced as unknown as AuditEntry;
    return { ...others, at, data: giveTraceId(data, rest.data) };
  });
  const find = (seq: number): AuditRecord | undefined => expected.audit[seq - 1];
  return chainAudit(
    expected.runId,
    0,
    GENESIS_HASH,
    entries,
    (_at, seq) => find(seq)?.auditId ?? '',
    (seq) => find(seq)?.salt ?? NO_SALT,
    collectPersonSalts(expected),
  );
}

/** Returns the parts of an event that it had before it was chained. */
export function toDraft({ seq, at, type, stepId, elementId, data, private: privatePart }: RunEvent): RunEventDraft {
  return {
    seq,
    at,
    type,
    stepId,
    elementId,
    data: omit(data, 'personDigests'),
    private: privatePart === null ? null : omit(privatePart, 'personSalts'),
  };
}

/** Returns the parts of a record that it had before it was chained. */
export function toEntry({ at, actor, action, target, result, from, data }: AuditRecord): AuditEntry {
  return { at, actor, action, target: omit(target, 'personDigests'), result, from, data: omit(data, 'personSalts') };
}

function omit(json: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(json).filter(([each]) => each !== name)) as JsonObject;
}

/** The id of the trace of a request is random. */
function giveTraceId(data: JsonObject, expected: JsonObject): JsonObject {
  const { traceId } = expected;
  return typeof data['traceId'] === 'string' && typeof traceId === 'string' ? { ...data, traceId } : data;
}

/** Returns the salts of the people of a run, as the private parts of its events and audit records contain them. */
function collectPersonSalts({ events, audit }: RunHistory): PersonSalts {
  const found: Record<string, string> = {};
  const add = (people: Readonly<Record<string, Person | readonly Person[]>>, salts: Json | undefined): void => {
    for (const [member, named] of Object.entries(people)) {
      const memberSalts = isJsonObject(salts) ? [salts[member] ?? NO_SALT].flat() : [];
      for (const [index, person] of ('id' in named ? [named] : named).entries())
        found[getSaltKey(person)] = String(memberSalts[index] ?? NO_SALT);
    }
  };
  for (const { type, private: privatePart } of events)
    if (privatePart !== null) add(findPeopleInEvent(type, privatePart), privatePart['personSalts']);
  for (const { action, actor, data } of audit)
    add(findPeopleInAudit(action, actor === null ? null : { ...actor }, data), data['personSalts']);
  return new PersonSalts(found, () => NO_SALT);
}

/**
 * Returns the digests of the subjects of approvals, and those of the same subjects with replaced ids and times. A
 * subject may contain the times of earlier votes, and their digests.
 *
 * @returns also one sentence for each subject that does not have its digest
 */
export function mapDigests(
  { approvals }: RunHistory,
  { ids, times }: Pick<Replacements, 'ids' | 'times'>,
): { readonly digests: ReadonlyMap<string, string>; readonly problems: readonly string[] } {
  const digests = new Map<string, string>();
  const problems: string[] = [];
  for (const { digest, subject } of approvals) {
    const json = subject as unknown as Json;
    if (computeDigest(json) !== digest) problems.push(`the subject of an approval does not have the digest ${digest}.`);
    digests.set(digest, computeDigest(replaceValues(json, undefined, { ids, times, digests })));
  }
  return { digests, problems };
}

/** Returns the digest of the subject of an approval: SHA-256 (hex) of its RFC 8785 form. */
function computeDigest(subject: Json): string {
  return `sha256:${sha256Hex(canonicalJson(subject))}`;
}
