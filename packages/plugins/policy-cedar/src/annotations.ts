import type { PolicyJson } from '@cedar-policy/cedar-wasm/nodejs';
import { MAX_NAME_LENGTH } from '@countersign/model';

/** Content of the annotations of a policy. */
export interface PolicyNotes {
  readonly id: string;
  readonly rationale: string | null;
  readonly advice: string | null;
  /** Set for a policy that weighs risk. */
  readonly risk: { readonly code: string; readonly weight: number; readonly description: string } | null;
  readonly approverGroups: readonly string[];
  readonly approverUsers: readonly string[];
  readonly quorum: number | null;
  readonly acceptsTaint: boolean;
}

/** Thrown when an annotation is invalid. The message is for the author of the policy. */
export class AnnotationError extends Error {}

const KNOWN = [
  'id',
  'rationale',
  'advice',
  'risk',
  'weight',
  'description',
  'approvers',
  'approverUsers',
  'quorum',
  'acceptsTaint',
] as const;
const ID = /^[A-Za-z0-9][\w.:/-]{0,127}$/;
const CODE = /^[a-z][a-z0-9_.-]{0,63}$/i;
const WEIGHTS = ['weighStep', 'weighCall'] as const;
const MAX_TEXT = 500;
const MAX_WEIGHT = 1000;
const MAX_QUORUM = 100;

/** Returns the name of the action of a policy, if it is exactly one. */
export function onlyAction({ action }: PolicyJson): string | null {
  return action.op === '==' && 'entity' in action ? uidOf(action.entity).id : null;
}

export function uidOf(
  entity:
    | { readonly type: string; readonly id: string }
    | { readonly __entity: { readonly type: string; readonly id: string } },
): { readonly type: string; readonly id: string } {
  return '__entity' in entity ? entity.__entity : entity;
}

/**
 * Reads the annotations of a policy. An unknown one is an error: a misspelt `@quorum` must not count as missing.
 *
 * @throws {AnnotationError} an annotation is unknown or invalid
 */
export function readAnnotations(policy: PolicyJson): PolicyNotes {
  const annotations = new Map(Object.entries(policy.annotations ?? {}));
  for (const name of annotations.keys()) {
    if (!KNOWN.some((known) => known === name))
      throw new AnnotationError(`the annotation @${name} is unknown; known annotations are @${KNOWN.join(', @')}`);
  }
  const notes: PolicyNotes = {
    id:
      read(annotations, 'id', (text) => ID.test(text), 'a short name of letters, digits and . _ : / -') ??
      missing('@id'),
    rationale: textOf(annotations, 'rationale'),
    advice: textOf(annotations, 'advice'),
    risk: readRisk(annotations),
    approverGroups: listOf(annotations, 'approvers'),
    approverUsers: listOf(annotations, 'approverUsers'),
    quorum: numberOf(annotations, 'quorum', { least: 1, most: MAX_QUORUM, whole: true }),
    acceptsTaint: read(annotations, 'acceptsTaint', (text) => text === 'true', '"true"') !== null,
  };
  checkUse(policy, notes);
  return notes;
}

/** Refuses annotations where they would have no effect. */
function checkUse(policy: PolicyJson, notes: PolicyNotes): void {
  const action = onlyAction(policy);
  const weighs = WEIGHTS.some((name) => name === action);
  if (weighs && policy.effect === 'forbid')
    throw new AnnotationError(
      `a policy of Action::"${action}" must be a permit: it adds to the risk, which cannot be forbidden`,
    );
  if (weighs && notes.risk === null)
    throw new AnnotationError(
      `a policy of Action::"${action}" needs @risk("code"), @weight("…") and @description("…")`,
    );
  if (!weighs && notes.risk !== null)
    throw new AnnotationError(
      '@risk is only valid for policies of exactly one action, Action::"weighStep" or Action::"weighCall"',
    );
  const asks = notes.approverGroups.length > 0 || notes.approverUsers.length > 0 || notes.quorum !== null;
  if (asks && !(policy.effect === 'permit' ? action === 'call' : action === 'callUnattended')) {
    throw new AnnotationError(
      '@approvers, @approverUsers and @quorum are only valid for a permit of Action::"call", or a forbid of Action::"callUnattended"',
    );
  }
  if (
    notes.acceptsTaint &&
    !(policy.effect === 'permit' && action === 'callUnattended' && policy.resource.op === '==')
  ) {
    throw new AnnotationError(
      '@acceptsTaint is only valid for a permit of Action::"callUnattended" that names its tool: resource == Tool::"…"',
    );
  }
}

function readRisk(annotations: ReadonlyMap<string, string | null>): PolicyNotes['risk'] {
  if (!annotations.has('risk')) {
    const alone = ['weight', 'description'].find((name) => annotations.has(name));
    if (alone !== undefined) throw new AnnotationError(`@${alone} requires @risk`);
    return null;
  }
  return {
    code: read(annotations, 'risk', (text) => CODE.test(text), 'a short name') ?? missing('@risk'),
    weight: numberOf(annotations, 'weight', { least: 0, most: MAX_WEIGHT, whole: false }) ?? missing('@weight'),
    description: textOf(annotations, 'description') ?? missing('@description'),
  };
}

function read(
  annotations: ReadonlyMap<string, string | null>,
  name: string,
  fits: (text: string) => boolean,
  expected: string,
): string | null {
  if (!annotations.has(name)) return null;
  const text = annotations.get(name) ?? '';
  if (fits(text)) return text;
  throw new AnnotationError(`@${name} must be ${expected}, not ${JSON.stringify(text.slice(0, 80))}`);
}

function textOf(annotations: ReadonlyMap<string, string | null>, name: string): string | null {
  return (
    read(
      annotations,
      name,
      (text) => text.trim() !== '' && text.length <= MAX_TEXT,
      `a text of 1 to ${MAX_TEXT} characters`,
    )?.trim() ?? null
  );
}

function numberOf(
  annotations: ReadonlyMap<string, string | null>,
  name: string,
  { least, most, whole }: { least: number; most: number; whole: boolean },
): number | null {
  const digits = whole ? /^\d{1,4}$/ : /^\d{1,4}(\.\d{1,2})?$/;
  const text = read(
    annotations,
    name,
    (each) => digits.test(each) && Number(each) >= least && Number(each) <= most,
    `a ${whole ? 'whole ' : ''}number from ${least} to ${most}`,
  );
  return text === null ? null : Number(text);
}

/** Returns comma-separated names of users or groups, normalised like those in tokens. */
function listOf(annotations: ReadonlyMap<string, string | null>, name: string): readonly string[] {
  const names = (text: string): string[] => [...new Set(text.split(',').map((each) => each.trim().normalize('NFC')))];
  const text = read(
    annotations,
    name,
    (each) => names(each).every((item) => item !== '' && item.length <= MAX_NAME_LENGTH),
    `comma-separated names of 1 to ${MAX_NAME_LENGTH} characters`,
  );
  return text === null ? [] : names(text);
}

function missing(annotation: string): never {
  throw new AnnotationError(`${annotation} is missing`);
}
