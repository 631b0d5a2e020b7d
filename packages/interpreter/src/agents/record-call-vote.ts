import type { AgentCall, Delegation, ElementInstance, PendingApproval, VoteCommand } from '@countersign/model';
import { buildApprovalRecord } from '../approvals/build-approval-record.js';
import { recordVote, isResolvedBy } from '../approvals/record-vote.js';
import { changeApproval } from '../approvals/change-approval.js';
import type { Execution } from '../execution.js';
import { toStepFailureOrRethrow } from '../incidents.js';
import { buildCallSubject } from './call-subject.js';
import { assessCall, type CallAssessment } from './assess-call.js';
import { resolveCallApproval } from './resolve-call-approval.js';

/**
 * Assesses a call again with the current policy. Refuses the vote if the policy cannot be evaluated.
 *
 * @returns `undefined` if the vote was refused
 */
export function reassessCall(
  execution: Execution,
  instance: ElementInstance,
  call: AgentCall,
): CallAssessment | undefined {
  try {
    return assessCall(execution, instance, call);
  } catch (error) {
    execution.refuse(
      'service_unavailable',
      `${toStepFailureOrRethrow(error).message} Nothing was decided; try again when the policy can be evaluated.`,
    );
    return undefined;
  }
}

/** Records a vote, and resolves the approval if the vote decides it. */
export function recordCallVote(
  execution: Execution,
  { key }: ElementInstance,
  approval: PendingApproval,
  { call, decision }: CallAssessment,
  command: VoteCommand,
  usedDelegation: Delegation | undefined,
): void {
  const instance = execution.get(key);
  const updatedApproval = recordVote(execution, instance, approval, command, usedDelegation);
  execution.approval = buildApprovalRecord(
    execution,
    instance,
    updatedApproval,
    buildCallSubject(execution, instance, call),
  );
  const change = isResolvedBy(updatedApproval, command)
    ? resolveCallApproval(execution, key, call.callId, updatedApproval, command, decision.toolConstraints)
    : changeApproval(execution, updatedApproval, 'pending', null);
  execution.approval = { ...execution.approval, ...change };
}
