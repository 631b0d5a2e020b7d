import type { Approval, JsonValue } from '@countersign/contract';

/** One difference between two JSON values. */
export interface JsonChange {
  /** RFC 6901 pointer. */
  readonly pointer: string;
  /** Omitted if the member was added. */
  readonly before?: JsonValue;
  /** Omitted if the member was removed. */
  readonly after?: JsonValue;
}

/** Maximum number of listed differences. Further differences are only counted. */
const MAX_CHANGES = 200;

export interface JsonChanges {
  readonly changes: readonly JsonChange[];
  /** Number of differences that are not in the list. */
  readonly omittedCount: number;
}

/** Returns the differences between two values: members by name, list items by index. */
export function compareJson(before: JsonValue, after: JsonValue): JsonChanges {
  const changes: JsonChange[] = [];
  let omittedCount = 0;
  // A stack instead of recursion, because untrusted values may be nested deeper than the call stack.
  const stack: { pointer: string; before: JsonValue | undefined; after: JsonValue | undefined }[] = [
    { pointer: '', before, after },
  ];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { pointer, before: previousValue, after: currentValue } = next;
    if (previousValue === currentValue) continue;
    if (
      !isJsonContainer(previousValue) ||
      !isJsonContainer(currentValue) ||
      Array.isArray(previousValue) !== Array.isArray(currentValue)
    ) {
      if (changes.length < MAX_CHANGES)
        changes.push({
          pointer,
          ...(previousValue === undefined ? {} : { before: previousValue }),
          ...(currentValue === undefined ? {} : { after: currentValue }),
        });
      else omittedCount += 1;
      continue;
    }
    const names = [...new Set([...Object.keys(previousValue), ...Object.keys(currentValue)])].reverse();
    for (const name of names)
      stack.push({
        pointer: `${pointer}/${name.replace(/~/g, '~0').replace(/\//g, '~1')}`,
        before: getMember(previousValue, name),
        after: getMember(currentValue, name),
      });
  }
  return { changes, omittedCount };
}

type JsonContainer = JsonValue[] | { [name: string]: JsonValue };

function isJsonContainer(value: JsonValue | undefined): value is JsonContainer {
  return typeof value === 'object' && value !== null;
}

function getMember(container: JsonContainer, name: string): JsonValue | undefined {
  return Object.hasOwn(container, name) ? (container as { [name: string]: JsonValue })[name] : undefined;
}

export interface EvidenceVersion {
  readonly version: number;
  readonly sha256: string;
}

/** Evidence whose version changed between the rounds. */
export interface EvidenceChange {
  readonly name: string;
  readonly before: EvidenceVersion | null;
  readonly after: EvidenceVersion | null;
}

/** Returns the changes since the previous round: of the arguments or inputs, and of the evidence. */
export function compareRounds(
  before: Pick<Approval, 'subject'>,
  after: Pick<Approval, 'subject'>,
): { readonly inputs: JsonChanges; readonly evidence: readonly EvidenceChange[] } {
  const previousByName = new Map(before.subject.evidence.map((each) => [each.name, each]));
  const currentByName = new Map(after.subject.evidence.map((each) => [each.name, each]));
  const names = [...new Set([...previousByName.keys(), ...currentByName.keys()])];
  return {
    inputs: compareJson(before.subject.inputs, after.subject.inputs),
    evidence: names
      .filter((name) => previousByName.get(name)?.sha256 !== currentByName.get(name)?.sha256)
      .map((name) => ({
        name,
        before: toEvidenceVersion(previousByName.get(name)),
        after: toEvidenceVersion(currentByName.get(name)),
      })),
  };
}

function toEvidenceVersion(evidence: Approval['subject']['evidence'][number] | undefined): EvidenceVersion | null {
  const version = evidence?.version ?? null;
  const sha256 = evidence?.sha256 ?? null;
  return version === null || sha256 === null ? null : { version, sha256 };
}
