import type { Delegation, PendingApproval, VoteCommand } from '@countersign/model';
import { findPendingApprovals, type FoundCallApproval } from '../approvals/find-approval.js';
import { refuseSignature } from '../approvals/refuse-signature.js';
import {
  refuseStaleSubject,
  refuseForeignEvidence,
  refuseStaleDigest,
  refuseMissingComment,
} from '../approvals/vote-refusals.js';
import type { Execution } from '../execution.js';
import { buildCallSubject } from './call-subject.js';
import { recordCallVote, reassessCall } from './record-call-vote.js';
import type { CallAssessment } from './assess-call.js';
import { continueAgent } from './continue-agent.js';
import { withdrawCallApproval } from './withdraw-call-approval.js';
import { approveWithEdits } from './approve-with-edits.js';

/**
 * Handles a vote on an agent's call. Rebuilds the subject with the current artifacts and policy; if it differs, or if
 * the policy now refuses the call or requires a larger quorum, the approval is withdrawn and the call is reassessed.
 */
export function* voteOnCall(
  execution: Execution,
  found: FoundCallApproval,
  command: VoteCommand,
  usedDelegation: Delegation | undefined,
): Generator<void, void> {
  const { instance, approval } = found;
  const assessment = reassessCall(execution, instance, found.call);
  if (assessment === undefined) return;
  if (
    assessment.digest !== approval.digest ||
    assessment.needs === 'refusal' ||
    requiresLargerQuorum(assessment, approval)
  ) {
    withdrawCallApproval(execution, found, 'subject_changed');
    continueAgent(execution, instance.key);
    refuseStaleSubject(execution, findPendingCallApproval(execution, instance.key, found.call.callId));
    return;
  }
  if (
    refuseStaleDigest(execution, command, approval) ||
    refuseForeignEvidence(execution, command, buildCallSubject(execution, instance, found.call)) ||
    refuseMissingComment(execution, command)
  )
    return;
  if (command.edited !== undefined) yield* approveWithEdits(execution, found, { ...command, edited: command.edited });
  else if (!refuseSignature(execution, command, approval))
    recordCallVote(execution, instance, approval, assessment, command, usedDelegation);
}

function findPendingCallApproval(execution: Execution, key: number, callId: string): PendingApproval | undefined {
  return findPendingApprovals(execution, execution.get(key)).find(
    (each) => each.kind === 'tool_call' && each.call.callId === callId,
  )?.approval;
}

/**
 * Returns whether the policy now requires a larger quorum, because the run has become riskier since the approval was
 * requested.
 */
function requiresLargerQuorum({ decision }: CallAssessment, { quorum }: PendingApproval): boolean {
  return (decision.approval?.quorum ?? 1) > quorum;
}
