import type { PolicyJson } from '@cedar-policy/cedar-wasm/nodejs';
import { MAX_NAME_LENGTH } from '@countersign/model';

/** Content of the annotations of a policy. */
export interface PolicyAnnotations {
  readonly id: string;
  readonly rationale: string | null;
  readonly advice: string | null;
  /** Risk factor of a policy for `weighStep` or `weighCall`; `null` for any other policy. */
  readonly risk: { readonly code: string; readonly weight: number; readonly description: string } | null;
  readonly approverGroups: readonly string[];
  readonly approverUsers: readonly string[];
  readonly quorum: number | null;
  readonly acceptsTaint: boolean;
}

/** Thrown when an annotation is invalid. The message is for the author of the policy. */
export class AnnotationError extends Error {}

const KNOWN_ANNOTATIONS = [
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
const ID_PATTERN = /^[A-Za-z0-9][\w.:/-]{0,127}$/;
const CODE_PATTERN = /^[a-z][a-z0-9_.-]{0,63}$/i;
const RISK_ACTIONS = ['weighStep', 'weighCall'] as const;
const MAX_TEXT_LENGTH = 500;
const MAX_WEIGHT = 1000;
const MAX_QUORUM = 100;

/** Returns the name of the action of a policy, if it is exactly one. */
export function findSingleAction({ action }: PolicyJson): string | null {
  return action.op === '==' && 'entity' in action ? toEntityUid(action.entity).id : null;
}

export function toEntityUid(
  entity:
    | { readonly type: string; readonly id: string }
    | { readonly __entity: { readonly type: string; readonly id: string } },
): { readonly type: string; readonly id: string } {
  return '__entity' in entity ? entity.__entity : entity;
}

/**
 * Reads the annotations of a policy. An unknown one is an error: a misspelt `@quorum` must not count as missing.
 *
 * @throws {AnnotationError} if an annotation is unknown or invalid
 */
export function readAnnotations(policy: PolicyJson): PolicyAnnotations {
  const annotations = new Map(Object.entries(policy.annotations ?? {}));
  for (const name of annotations.keys()) {
    if (!KNOWN_ANNOTATIONS.some((known) => known === name))
      throw new AnnotationError(
        `the annotation @${name} is unknown; known annotations are @${KNOWN_ANNOTATIONS.join(', @')}`,
      );
  }
  const policyAnnotations: PolicyAnnotations = {
    id:
      readAnnotation(
        annotations,
        'id',
        (text) => ID_PATTERN.test(text),
        'a short name of letters, digits and . _ : / -',
      ) ?? throwMissing('@id'),
    rationale: readText(annotations, 'rationale'),
    advice: readText(annotations, 'advice'),
    risk: readRisk(annotations),
    approverGroups: readNames(annotations, 'approvers'),
    approverUsers: readNames(annotations, 'approverUsers'),
    quorum: readNumber(annotations, 'quorum', { min: 1, max: MAX_QUORUM, isInteger: true }),
    acceptsTaint: readAnnotation(annotations, 'acceptsTaint', (text) => text === 'true', '"true"') !== null,
  };
  assertApplicable(policy, policyAnnotations);
  return policyAnnotations;
}

/** Refuses annotations that would have no effect. */
function assertApplicable(policy: PolicyJson, annotations: PolicyAnnotations): void {
  const action = findSingleAction(policy);
  const isRiskPolicy = RISK_ACTIONS.some((name) => name === action);
  if (isRiskPolicy && policy.effect === 'forbid')
    throw new AnnotationError(
      `a policy of Action::"${action}" must be a permit: it adds to the risk, which cannot be forbidden`,
    );
  if (isRiskPolicy && annotations.risk === null)
    throw new AnnotationError(
      `a policy of Action::"${action}" needs @risk("code"), @weight("…") and @description("…")`,
    );
  if (!isRiskPolicy && annotations.risk !== null)
    throw new AnnotationError(
      '@risk is only valid for policies of exactly one action, Action::"weighStep" or Action::"weighCall"',
    );
  const hasApproverAnnotation =
    annotations.approverGroups.length > 0 || annotations.approverUsers.length > 0 || annotations.quorum !== null;
  if (hasApproverAnnotation && !(policy.effect === 'permit' ? action === 'call' : action === 'callUnattended')) {
    throw new AnnotationError(
      '@approvers, @approverUsers and @quorum are only valid for a permit of Action::"call", or a forbid of Action::"callUnattended"',
    );
  }
  if (
    annotations.acceptsTaint &&
    !(policy.effect === 'permit' && action === 'callUnattended' && policy.resource.op === '==')
  ) {
    throw new AnnotationError(
      '@acceptsTaint is only valid for a permit of Action::"callUnattended" that names its tool: resource == Tool::"…"',
    );
  }
}

function readRisk(annotations: ReadonlyMap<string, string | null>): PolicyAnnotations['risk'] {
  if (!annotations.has('risk')) {
    const orphan = ['weight', 'description'].find((name) => annotations.has(name));
    if (orphan !== undefined) throw new AnnotationError(`@${orphan} requires @risk`);
    return null;
  }
  return {
    code:
      readAnnotation(annotations, 'risk', (text) => CODE_PATTERN.test(text), 'a short name') ?? throwMissing('@risk'),
    weight: readNumber(annotations, 'weight', { min: 0, max: MAX_WEIGHT, isInteger: false }) ?? throwMissing('@weight'),
    description: readText(annotations, 'description') ?? throwMissing('@description'),
  };
}

function readAnnotation(
  annotations: ReadonlyMap<string, string | null>,
  name: string,
  isValid: (text: string) => boolean,
  expected: string,
): string | null {
  if (!annotations.has(name)) return null;
  const text = annotations.get(name) ?? '';
  if (isValid(text)) return text;
  throw new AnnotationError(`@${name} must be ${expected}, not ${JSON.stringify(text.slice(0, 80))}`);
}

function readText(annotations: ReadonlyMap<string, string | null>, name: string): string | null {
  return (
    readAnnotation(
      annotations,
      name,
      (text) => text.trim() !== '' && text.length <= MAX_TEXT_LENGTH,
      `a text of 1 to ${MAX_TEXT_LENGTH} characters`,
    )?.trim() ?? null
  );
}

function readNumber(
  annotations: ReadonlyMap<string, string | null>,
  name: string,
  { min, max, isInteger }: { min: number; max: number; isInteger: boolean },
): number | null {
  const digits = isInteger ? /^\d{1,4}$/ : /^\d{1,4}(\.\d{1,2})?$/;
  const text = readAnnotation(
    annotations,
    name,
    (each) => digits.test(each) && Number(each) >= min && Number(each) <= max,
    `a ${isInteger ? 'whole ' : ''}number from ${min} to ${max}`,
  );
  return text === null ? null : Number(text);
}

/** Reads the comma-separated names of users or groups, normalised like those in tokens. */
function readNames(annotations: ReadonlyMap<string, string | null>, name: string): readonly string[] {
  const splitNames = (text: string): string[] => [
    ...new Set(text.split(',').map((each) => each.trim().normalize('NFC'))),
  ];
  const text = readAnnotation(
    annotations,
    name,
    (each) => splitNames(each).every((item) => item !== '' && item.length <= MAX_NAME_LENGTH),
    `comma-separated names of 1 to ${MAX_NAME_LENGTH} characters`,
  );
  return text === null ? [] : splitNames(text);
}

function throwMissing(annotation: string): never {
  throw new AnnotationError(`${annotation} is missing`);
}
