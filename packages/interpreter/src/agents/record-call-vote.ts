import type { AgentCall, Delegation, ElementInstance, PendingApproval, VoteCommand } from '@countersign/model';
import { approvalRecord } from '../approvals/approval-record.js';
import { recordVote, isResolvedBy } from '../approvals/record-vote.js';
import { changeApproval } from '../approvals/change-approval.js';
import type { Execution } from '../execution.js';
import { toStepFailureOrRethrow } from '../incidents.js';
import { buildCallSubject } from './call-subject.js';
import { assessCall, type CallAssessment } from './assess-call.js';
import { resolveCall } from './resolve-call.js';

/** @returns `undefined` if the policy cannot be evaluated; then nothing is decided, and the vote is refused */
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
  const votedApproval = recordVote(execution, instance, approval, command, usedDelegation);
  execution.approval = approvalRecord(execution, instance, votedApproval, buildCallSubject(execution, instance, call));
  const change = isResolvedBy(votedApproval, command)
    ? resolveCall(execution, key, call.callId, votedApproval, command, decision.toolConstraints)
    : changeApproval(execution, votedApproval, 'pending', null);
  execution.approval = { ...execution.approval, ...change };
}
