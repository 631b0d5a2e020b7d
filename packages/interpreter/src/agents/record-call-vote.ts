import type { AgentCall, Delegation, ElementInstance, PendingApproval, VoteCommand } from '@countersign/model';
import { approvalRecord } from '../approvals/approval-record.js';
import { recordVote, isResolvedBy } from '../approvals/record-vote.js';
import { changeApproval } from '../approvals/change-approval.js';
import type { Execution } from '../execution.js';
import { asStepFailure } from '../incidents.js';
import { callSubject } from './call-subject.js';
import { assessCall, type CallAssessment } from './assess-call.js';
import { resolveCall } from './resolve-call.js';

/** @returns `undefined` if the policy gives no answer; then nothing is decided, and the vote is refused */
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
      `${asStepFailure(error).message} Nothing was decided; try again when the policy can be evaluated.`,
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
  place: Delegation | undefined,
): void {
  const instance = execution.get(key);
  const voted = recordVote(execution, instance, approval, command, place);
  execution.approval = approvalRecord(execution, instance, voted, callSubject(execution, instance, call));
  const change = isResolvedBy(voted, command)
    ? resolveCall(execution, key, call.callId, voted, command, decision.toolConstraints)
    : changeApproval(execution, voted, 'pending', null);
  execution.approval = { ...execution.approval, ...change };
}
