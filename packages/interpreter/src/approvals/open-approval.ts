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
import { checkedName, namesOf } from '../names.js';
import { addWait, armTimer } from '../steps.js';
import { evaluate, scopeOf } from '../variables.js';
import { approvalRecord } from './approval-record.js';
import { lastRound } from './rounds.js';
import { subjectDigest, subjectNames, subjectOf } from './subject.js';

type Range = readonly [least: number, most: number];

/** The same range as for quorums stated in a BPMN model (packages/bpmn). */
export const QUORUM: Range = [1, 999];
const PRIORITY: Range = [0, 100];

export type ApprovalRisk = Pick<PendingApproval, 'riskLevel' | 'riskFactors' | 'rationale'>;

/** Opens an approval, as the next round if there was an earlier one. */
export function openApproval(
  execution: Execution,
  node: UserTask,
  instance: ElementInstance,
  risk: ApprovalRisk,
): PendingApproval {
  const { approval: definition } = node;
  const previous = lastRound(execution, instance);
  const names = subjectNames(execution, node, instance);
  const subject = subjectOf(execution, node, instance, names);
  const text = (value: Value | null): unknown =>
    value === null ? null : evaluate(value, scopeOf(execution, instance));
  const scope = scopeOf(execution, instance);
  const users = namesOf(definition.candidateUsers, scope, `The candidate users of "${node.id}"`);
  const approval: PendingApproval = {
    approvalId: execution.nextId(),
    title: node.name ?? node.id,
    description: node.documentation,
    round: (previous?.round ?? 0) + 1,
    previousApprovalId: previous?.approvalId ?? null,
    requestedAt: execution.now,
    dueAt: dueAt(node, text(definition.dueDate)),
    candidateUsers: [...assigneeOf(node, scope), ...users],
    candidateGroups: namesOf(definition.candidateGroups, scope, `The candidate groups of "${node.id}"`),
    delegations: [],
    quorum: parseWholeNumber(evaluate(definition.quorum, scope), QUORUM, `The quorum of "${node.id}"`),
    priority: parseWholeNumber(text(definition.priority) ?? 50, PRIORITY, `The priority of "${node.id}"`),
    separationOfDuties: separationMode(execution, definition.separationOfDuties),
    ...risk,
    votes: [],
    digest: subjectDigest(subject, (value) => execution.canonicalText(value)),
    ...(names === undefined ? {} : { subjectNames: names }),
    requireSignature: definition.requireSignature,
    ...(definition.requireDigest ? { requireDigest: true as const } : {}),
  };
  askForApproval(execution, instance, approval, subject);
  if (approval.dueAt !== null && definition.onTimeout !== 'none') {
    armTimer(execution, execution.get(instance.key), 'approval', approval.dueAt);
  }
  return approval;
}

/** Returns the assignee as a list of at most one name. Unlike for candidates, a string with commas is one name. */
function assigneeOf({ id, approval }: UserTask, scope: EvaluationScope): string[] {
  const { assignee } = approval;
  const given = assignee === null ? null : evaluate(assignee, scope);
  if (assignee === null || given === null || given === '') return [];
  const what = `The assignee of "${id}"`;
  const name = typeof given === 'string' ? given.normalize('NFC') : given;
  return [checkedName(name, assignee, 'approval_invalid', what)];
}

/**
 * Requests the approval from the engine and records it in the history.
 *
 * @param callId the agent's call that the approval is about
 */
export function askForApproval(
  execution: Execution,
  instance: ElementInstance,
  approval: PendingApproval,
  subject: ApprovalSubject,
  callId?: string,
): void {
  addWait(execution, instance.key, { kind: 'approval', approval, ...(callId === undefined ? {} : { callId }) });
  execution.request({ type: 'approval.open', approval: approvalRecord(execution, instance, approval, subject) });
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
      // Without a required signature, events stay as they were before signatures existed.
      ...(approval.requireSignature === true ? { signatureRequired: true } : {}),
    },
    { candidateUsers: [...approval.candidateUsers], candidateGroups: [...approval.candidateGroups] },
  );
}

/** @param wanted the mode that the BPMN model requires, which may be stricter than the settings */
export function separationMode(
  execution: Execution,
  wanted: ApprovalDefinition['separationOfDuties'],
): PendingApproval['separationOfDuties'] {
  if (wanted === 'distinct') return 'distinct';
  return wanted === 'required' || execution.context.settings.separationOfDuties ? 'on' : 'off';
}

function dueAt(node: UserTask, value: unknown): number | null {
  if (value === null || value === '') return null;
  const at = typeof value === 'string' ? parseIsoDate(value) : undefined;
  if (at === undefined) {
    throw new StepFailure(
      'approval_invalid',
      `The due date of "${node.id}" must be an ISO 8601 date with time and offset in the years 1 to 9999.`,
    );
  }
  return at;
}

/** @throws {StepFailure} `approval_invalid` */
export function parseWholeNumber(value: unknown, [least, most]: Range, what: string): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && Number.isInteger(number) && number >= least && number <= most) return number;
  throw new StepFailure('approval_invalid', `${what} must be a whole number from ${least} to ${most}.`);
}
