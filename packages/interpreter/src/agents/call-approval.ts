import type { ElementInstance, PendingApproval, PolicyDecision } from '@countersign/model';
import { buildDefaultTitle } from '../approvals/build-default-title.js';
import { requestApproval, QUORUM_RANGE, resolveSeparationMode, parseWholeNumber } from '../approvals/open-approval.js';
import type { Execution } from '../execution.js';
import { checkNames, evaluateNames } from '../names.js';
import { evaluate, buildEvaluationScope } from '../variables.js';
import { requireAgentTask, putCall } from './agent-state.js';
import { buildCallSubject } from './call-subject.js';
import type { CallAssessment } from './assess-call.js';

export type CallApprovers = Pick<
  PendingApproval,
  'candidateUsers' | 'candidateGroups' | 'quorum' | 'delegations' | 'assignedBy'
>;

/** Requests approval of a call. If the call had an earlier approval, the new approval is its next round. */
export function openCallApproval(
  execution: Execution,
  key: number,
  assessment: CallAssessment,
  approvers: CallApprovers = resolveApprovers(execution, execution.get(key), assessment.decision),
): PendingApproval {
  const instance = execution.get(key);
  const node = requireAgentTask(execution, instance);
  const { call, decision, digest, reason } = assessment;
  const approval: PendingApproval = {
    approvalId: execution.nextId(),
    title: buildDefaultTitle(`${node.name ?? node.id}: ${call.tool}`, execution.state.businessKey),
    description: node.documentation,
    round: call.round,
    previousApprovalId: call.approvalId ?? null,
    requestedAt: execution.now,
    dueAt: null,
    ...approvers,
    priority: 50,
    separationOfDuties: resolveSeparationMode(execution, node.callApproval?.separationOfDuties ?? 'default'),
    riskLevel: decision.riskLevel,
    riskFactors: decision.riskFactors,
    rationale: reason,
    votes: [],
    digest,
    requireSignature: node.callApproval?.requireSignature ?? false,
    ...(node.callApproval?.requireDigest === true ? { requireDigest: true as const } : {}),
  };
  putCall(execution, key, { ...call, status: 'approval', approvalId: approval.approvalId });
  requestApproval(execution, execution.get(key), approval, buildCallSubject(execution, instance, call), call.callId);
  return approval;
}

/** Returns the approvers that the policy names, or else those of the task. The larger of the two quorums applies. */
export function resolveApprovers(
  execution: Execution,
  instance: ElementInstance,
  { approval }: PolicyDecision,
): CallApprovers {
  const { id, callApproval } = requireAgentTask(execution, instance);
  const scope = buildEvaluationScope(execution, instance);
  checkNames(approval?.candidateUsers ?? [], `The candidate users that the policy names for a call of "${id}"`);
  checkNames(approval?.candidateGroups ?? [], `The candidate groups that the policy names for a call of "${id}"`);
  const quorum = parseWholeNumber(
    callApproval === undefined ? 1 : (evaluate(callApproval.quorum, scope) ?? 1),
    QUORUM_RANGE,
    `The quorum of "${id}"`,
  );
  return {
    candidateUsers:
      approval?.candidateUsers ??
      evaluateNames(callApproval?.candidateUsers ?? null, scope, `The candidate users of "${id}"`),
    candidateGroups:
      approval?.candidateGroups ??
      evaluateNames(callApproval?.candidateGroups ?? null, scope, `The candidate groups of "${id}"`),
    delegations: [],
    quorum: Math.max(quorum, approval?.quorum ?? 1),
  };
}
