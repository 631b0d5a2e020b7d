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

/** Further differences are only counted. */
const MAX_CHANGES = 200;

export interface JsonChanges {
  readonly changes: readonly JsonChange[];
  /** Number of differences that are not in the list. */
  readonly more: number;
}

/** Returns the differences between two values: members by name, list items by index. */
export function compareJson(before: JsonValue, after: JsonValue): JsonChanges {
  const changes: JsonChange[] = [];
  let more = 0;
  // A stack instead of recursion, because untrusted values may be nested deeper than the call stack.
  const todo: { pointer: string; before: JsonValue | undefined; after: JsonValue | undefined }[] = [
    { pointer: '', before, after },
  ];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const { pointer, before: one, after: other } = next;
    if (one === other) continue;
    if (!isTree(one) || !isTree(other) || Array.isArray(one) !== Array.isArray(other)) {
      if (changes.length < MAX_CHANGES)
        changes.push({
          pointer,
          ...(one === undefined ? {} : { before: one }),
          ...(other === undefined ? {} : { after: other }),
        });
      else more += 1;
      continue;
    }
    const names = [...new Set([...Object.keys(one), ...Object.keys(other)])].reverse();
    for (const name of names)
      todo.push({
        pointer: `${pointer}/${name.replace(/~/g, '~0').replace(/\//g, '~1')}`,
        before: member(one, name),
        after: member(other, name),
      });
  }
  return { changes, more };
}

type Tree = JsonValue[] | { [name: string]: JsonValue };

function isTree(value: JsonValue | undefined): value is Tree {
  return typeof value === 'object' && value !== null;
}

function member(tree: Tree, name: string): JsonValue | undefined {
  return Object.hasOwn(tree, name) ? (tree as { [name: string]: JsonValue })[name] : undefined;
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

/** Returns what is new or changed since the previous round: arguments or inputs, and artifacts. */
export function compareRounds(
  before: Pick<Approval, 'subject'>,
  after: Pick<Approval, 'subject'>,
): { readonly inputs: JsonChanges; readonly evidence: readonly EvidenceChange[] } {
  const was = new Map(before.subject.evidence.map((each) => [each.name, each]));
  const is = new Map(after.subject.evidence.map((each) => [each.name, each]));
  const names = [...new Set([...was.keys(), ...is.keys()])];
  return {
    inputs: compareJson(before.subject.inputs, after.subject.inputs),
    evidence: names
      .filter((name) => was.get(name)?.sha256 !== is.get(name)?.sha256)
      .map((name) => ({ name, before: versionOf(was.get(name)), after: versionOf(is.get(name)) })),
  };
}

function versionOf(evidence: Approval['subject']['evidence'][number] | undefined): EvidenceVersion | null {
  const version = evidence?.version ?? null;
  const sha256 = evidence?.sha256 ?? null;
  return version === null || sha256 === null ? null : { version, sha256 };
}
