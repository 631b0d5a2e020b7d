import {
  type ApprovalDefinition,
  type ApprovalSubject,
  type ElementInstance,
  type EvaluationScope,
  parseIsoDate,
  type PendingApproval,
  type UserTask,
  type Value,
} from '@countersign/model';
import type { Execution } from '../execution.js';
import { StepFailure } from '../incidents.js';
import { requireValidName, evaluateNames } from '../names.js';
import { addWait, armTimer } from '../steps.js';
import { evaluate, buildEvaluationScope } from '../variables.js';
import { buildDefaultTitle } from './build-default-title.js';
import { buildApprovalRecord } from './build-approval-record.js';
import { evaluatePresentation } from './evaluate-presentation.js';
import { findPreviousRound } from './rounds.js';
import { computeSubjectDigest, findSubjectNames, buildTaskSubject } from './subject.js';

type Range = readonly [least: number, most: number];

/** The same range that packages/bpmn enforces for literal quorums. */
export const QUORUM_RANGE: Range = [1, 999];
const PRIORITY_RANGE: Range = [0, 100];

export type ApprovalRisk = Pick<PendingApproval, 'riskLevel' | 'riskFactors' | 'rationale'>;

/**
 * Opens an approval. If there was a previous round, it is the next round.
 *
 * @param evaluateTexts evaluates how the inputs are presented
 * @throws {StepFailure} if a value of the BPMN model is not valid
 */
export function openApproval(
  execution: Execution,
  node: UserTask,
  instance: ElementInstance,
  risk: ApprovalRisk,
  evaluateTexts: typeof evaluatePresentation = evaluatePresentation,
): PendingApproval {
  const { approval: definition } = node;
  const previousRound = findPreviousRound(execution, instance);
  const names = findSubjectNames(execution, node, instance);
  const subject = buildTaskSubject(execution, node, instance, names, execution.now, evaluateTexts);
  const evaluateOrNull = (value: Value | null): unknown =>
    value === null ? null : evaluate(value, buildEvaluationScope(execution, instance));
  const scope = buildEvaluationScope(execution, instance);
  const users = evaluateNames(definition.candidateUsers, scope, `The candidate users of "${node.id}"`);
  const approval: PendingApproval = {
    approvalId: execution.nextId(),
    title: subject.title ?? buildDefaultTitle(node.name ?? node.id, execution.state.businessKey),
    description: node.documentation,
    round: (previousRound?.round ?? 0) + 1,
    previousApprovalId: previousRound?.approvalId ?? null,
    requestedAt: execution.now,
    dueAt: parseDueDate(node, evaluateOrNull(definition.dueDate)),
    candidateUsers: [...evaluateAssignee(node, scope), ...users],
    candidateGroups: evaluateNames(definition.candidateGroups, scope, `The candidate groups of "${node.id}"`),
    delegations: [],
    quorum: parseWholeNumber(evaluate(definition.quorum, scope), QUORUM_RANGE, `The quorum of "${node.id}"`),
    priority: parseWholeNumber(
      evaluateOrNull(definition.priority) ?? 50,
      PRIORITY_RANGE,
      `The priority of "${node.id}"`,
    ),
    separationOfDuties: resolveSeparationMode(execution, definition.separationOfDuties),
    ...risk,
    votes: [],
    digest: computeSubjectDigest(subject, (value) => execution.canonicalText(value)),
    ...(names === undefined ? {} : { subjectNames: names }),
    requireSignature: definition.requireSignature,
    ...(definition.requireDigest ? { requireDigest: true as const } : {}),
  };
  requestApproval(execution, instance, approval, subject);
  if (approval.dueAt !== null && definition.onTimeout !== 'none') {
    armTimer(execution, execution.get(instance.key), 'approval', approval.dueAt);
  }
  return approval;
}

/** Returns the assignee as a list of at most one name. Unlike for candidates, a string with commas is one name. */
function evaluateAssignee({ id, approval }: UserTask, scope: EvaluationScope): string[] {
  const { assignee } = approval;
  const assigneeValue = assignee === null ? null : evaluate(assignee, scope);
  if (assignee === null || assigneeValue === null || assigneeValue === '') return [];
  const label = `The assignee of "${id}"`;
  const name = typeof assigneeValue === 'string' ? assigneeValue.normalize('NFC') : assigneeValue;
  return [requireValidName(name, assignee, 'approval_invalid', label)];
}

/**
 * Requests the approval from the engine and records it in the history.
 *
 * @param callId the agent's call that the approval is about
 */
export function requestApproval(
  execution: Execution,
  instance: ElementInstance,
  approval: PendingApproval,
  subject: ApprovalSubject,
  callId?: string,
): void {
  addWait(execution, instance.key, { kind: 'approval', approval, ...(callId === undefined ? {} : { callId }) });
  execution.request({ type: 'approval.open', approval: buildApprovalRecord(execution, instance, approval, subject) });
  execution.emit(
    'approval.requested',
    instance,
    {
      approvalId: approval.approvalId,
      ...(callId === undefined ? {} : { callId }),
      round: approval.round,
      previousApprovalId: approval.previousApprovalId,
      digest: approval.digest,
      quorum: approval.quorum,
      separationOfDuties: approval.separationOfDuties,
      dueAt: approval.dueAt === null ? null : new Date(approval.dueAt).toISOString(),
      riskLevel: approval.riskLevel,
      // If no signature is required, the event has the same form as before signatures existed.
      ...(approval.requireSignature === true ? { signatureRequired: true } : {}),
    },
    { candidateUsers: [...approval.candidateUsers], candidateGroups: [...approval.candidateGroups] },
  );
}

/**
 * Returns the mode of the separation of duties for an approval.
 *
 * @param requiredMode the mode that the BPMN model requires, which may be stricter than the settings
 */
export function resolveSeparationMode(
  execution: Execution,
  requiredMode: ApprovalDefinition['separationOfDuties'],
): PendingApproval['separationOfDuties'] {
  if (requiredMode === 'distinct') return 'distinct';
  return requiredMode === 'required' || execution.context.settings.separationOfDuties ? 'on' : 'off';
}

function parseDueDate(node: UserTask, value: unknown): number | null {
  if (value === null || value === '') return null;
  const timestamp = typeof value === 'string' ? parseIsoDate(value) : undefined;
  if (timestamp === undefined) {
    throw new StepFailure(
      'approval_invalid',
      `The due date of "${node.id}" must be an ISO 8601 date with time and offset in the years 1 to 9999.`,
    );
  }
  return timestamp;
}

/**
 * Parses a whole number within a range.
 *
 * @throws {StepFailure} `approval_invalid` if the value is not such a number
 */
export function parseWholeNumber(value: unknown, [min, max]: Range, label: string): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max) return number;
  throw new StepFailure('approval_invalid', `${label} must be a whole number from ${min} to ${max}.`);
}
