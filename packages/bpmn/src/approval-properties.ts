import {
  type ApprovalDefinition,
  type CallApprovalDefinition,
  isArtifactName,
  formatSuggestion,
  type NodeBase,
  type Value,
} from '@countersign/model';
import type { CompileContext } from './compile-context.js';
import { findNameError } from './variable-names.js';
import { PRESENTATION_PROPERTIES, readPresentation } from './approval-presentation.js';
import { checkPeopleNames, readValue } from './values.js';

/** The `zeebe:properties` of a user task that configure its approval. */
const APPROVAL_PROPERTIES = [
  'approval.quorum',
  'approval.separationOfDuties',
  'approval.requireSignature',
  'approval.requireDigest',
  'approval.evidence',
  'approval.reworkStep',
  'approval.resultVariable',
  'approval.onTimeout',
  ...PRESENTATION_PROPERTIES,
] as const;

/** The `zeebe:properties` of an agent task that configure the approval of its calls. */
const CALL_APPROVAL_PROPERTIES = [
  'approval.candidateUsers',
  'approval.candidateGroups',
  'approval.quorum',
  'approval.separationOfDuties',
  'approval.requireSignature',
  'approval.requireDigest',
] as const;

type ApprovalProperty = (typeof APPROVAL_PROPERTIES)[number] | (typeof CALL_APPROVAL_PROPERTIES)[number];

export const DEFAULT_RESULT_VARIABLE = 'approval';

/** Returns whether a property name is intended for an approval, spelled correctly or not. */
function isApprovalProperty(name: string): boolean {
  return /^approvals?[._-]/i.test(name);
}

/**
 * Records `approval.*` properties that would have no effect: misspelled properties, and properties of elements other
 * than a user task or an agent task (`type: 'agent'`). Silently ignoring a quorum would be worse than refusing the
 * model.
 */
export function checkApprovalProperties(
  context: CompileContext,
  elementId: string,
  type: string,
  properties: Readonly<Record<string, string>>,
): void {
  for (const name of Object.keys(properties)) {
    if (!isApprovalProperty(name)) continue;
    const known: readonly string[] | undefined = { userTask: APPROVAL_PROPERTIES, agent: CALL_APPROVAL_PROPERTIES }[
      type
    ];
    if (known === undefined) {
      context.problems.add(
        elementId,
        'unknown_property',
        `Property "${name}" has an effect only on a userTask or on an agent task.`,
      );
    } else if (!known.includes(name)) {
      const message = `Property "${name}" is not known${type === 'agent' ? ' on an agent task' : ''}.${formatSuggestion(name, known)}`;
      context.problems.add(elementId, 'unknown_property', message);
    }
  }
}

/**
 * Returns the properties that do not configure an approval. The policy receives them; values that start with `=` are
 * FEEL.
 */
export function readDynamicProperties(
  context: CompileContext,
  elementId: string,
  properties: Readonly<Record<string, string>>,
): Readonly<Record<string, Value>> {
  const values: [string, Value][] = [];
  for (const [name, text] of Object.entries(properties)) {
    if (isApprovalProperty(name)) continue;
    const value = text.trim().startsWith('=')
      ? readValue(context, elementId, `Property "${name}"`, text)
      : { literal: text };
    if (value !== undefined) values.push([name, value]);
  }
  return Object.fromEntries(values);
}

function getProperty(properties: Readonly<Record<string, string>>, name: ApprovalProperty): string | undefined {
  const value = properties[name]?.trim() ?? '';
  return value === '' ? undefined : value;
}

/** Returns the result variable of a user task, well-formed or not. */
export function getResultVariable(properties: Readonly<Record<string, string>>): string {
  return getProperty(properties, 'approval.resultVariable') ?? DEFAULT_RESULT_VARIABLE;
}

export function getReworkStep(properties: Readonly<Record<string, string>>): string | undefined {
  return getProperty(properties, 'approval.reworkStep');
}

export type ApprovalSettings = Pick<
  ApprovalDefinition,
  | 'quorum'
  | 'separationOfDuties'
  | 'requireSignature'
  | 'requireDigest'
  | 'evidence'
  | 'title'
  | 'summary'
  | 'fields'
  | 'resultVariable'
  | 'onTimeout'
>;

export function readApprovalSettings(context: CompileContext, base: NodeBase): ApprovalSettings {
  const { id: elementId, properties } = base;
  const readSetting = <T extends string>(name: ApprovalProperty, allowedValues: readonly [T, ...T[]]): T =>
    readEnumProperty(context, elementId, properties, name, allowedValues);
  const resultVariable = getResultVariable(properties);
  const error = findNameError(resultVariable);
  if (error !== undefined) {
    context.problems.add(elementId, 'invalid_property', `Property "approval.resultVariable": ${error}.`);
  }
  return {
    quorum: readQuorum(context, elementId, getProperty(properties, 'approval.quorum')),
    separationOfDuties: readSetting('approval.separationOfDuties', SEPARATION_MODES),
    requireSignature: readSetting('approval.requireSignature', ['false', 'true']) === 'true',
    requireDigest: readSetting('approval.requireDigest', ['false', 'true']) === 'true',
    evidence: readEvidence(context, elementId, getProperty(properties, 'approval.evidence')),
    ...readPresentation(context, base),
    resultVariable,
    onTimeout: readSetting('approval.onTimeout', ['none', 'reject', 'incident']),
  };
}

/** Reads who approves an agent's calls, and under which conditions. */
export function readCallApproval(
  context: CompileContext,
  elementId: string,
  properties: Readonly<Record<string, string>>,
): CallApprovalDefinition {
  const readCandidates = (name: ApprovalProperty): Value | null => {
    const value = readValue(context, elementId, `Property "${name}"`, getProperty(properties, name)) ?? null;
    checkPeopleNames(context, elementId, `A name in property "${name}"`, value);
    return value;
  };
  return {
    candidateUsers: readCandidates('approval.candidateUsers'),
    candidateGroups: readCandidates('approval.candidateGroups'),
    quorum: readQuorum(context, elementId, getProperty(properties, 'approval.quorum')),
    separationOfDuties: readEnumProperty(
      context,
      elementId,
      properties,
      'approval.separationOfDuties',
      SEPARATION_MODES,
    ),
    requireSignature:
      readEnumProperty(context, elementId, properties, 'approval.requireSignature', ['false', 'true']) === 'true',
    requireDigest:
      readEnumProperty(context, elementId, properties, 'approval.requireDigest', ['false', 'true']) === 'true',
  };
}

const SEPARATION_MODES = ['default', 'required', 'distinct'] as const;

/** Reads a property with a fixed set of values, of which the first is the default. */
function readEnumProperty<T extends string>(
  context: CompileContext,
  elementId: string,
  properties: Readonly<Record<string, string>>,
  name: ApprovalProperty,
  allowedValues: readonly [T, ...T[]],
): T {
  const value = getProperty(properties, name) ?? allowedValues[0];
  const found = allowedValues.find((candidate) => candidate === value);
  if (found !== undefined) return found;
  const message = `Property "${name}" must be one of ${allowedValues.join(', ')}, not "${value}".${formatSuggestion(value, allowedValues)}`;
  context.problems.add(elementId, 'invalid_property', message);
  return allowedValues[0];
}

function readQuorum(
  context: CompileContext,
  elementId: string,
  text: string | undefined,
): ApprovalDefinition['quorum'] {
  const value = readValue(context, elementId, 'Property "approval.quorum"', text) ?? { literal: '1' };
  if ('literal' in value && !/^[1-9]\d{0,2}$/.test(value.literal)) {
    const message = `Property "approval.quorum" must be a whole number from 1 to 999 or FEEL, not "${value.literal}".`;
    context.problems.add(elementId, 'invalid_property', message);
  }
  return value;
}

function readEvidence(
  context: CompileContext,
  elementId: string,
  text: string | undefined,
): ApprovalDefinition['evidence'] {
  const value = readValue(context, elementId, 'Property "approval.evidence"', text) ?? null;
  if (value === null || 'expression' in value) return value;
  for (const name of value.literal.split(',')) {
    if (isArtifactName(name.trim())) continue;
    const message = `Property "approval.evidence": "${name.trim()}" is not a valid artifact name.`;
    context.problems.add(elementId, 'invalid_property', message);
  }
  return value;
}
