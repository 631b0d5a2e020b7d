import type { Delegation, PendingApproval, VoteCommand } from '@countersign/model';
import { approvalsOf, type FoundCall } from '../approvals/find-approval.js';
import { refuseSignature } from '../approvals/refuse-signature.js';
import {
  refuseStaleSubject,
  refuseForeignEvidence,
  refuseStaleDigest,
  refuseMissingComment,
} from '../approvals/vote-refusals.js';
import type { Execution } from '../execution.js';
import { callSubject } from './call-subject.js';
import { recordCallVote, reassessCall } from './record-call-vote.js';
import type { CallAssessment } from './assess-call.js';
import { continueAgent } from './continue-agent.js';
import { withdrawCallApproval } from './withdraw-call-approval.js';
import { voteForEdit } from './vote-for-edit.js';

/**
 * Handles a vote on an agent's call. Rebuilds the subject with the current artifacts and policy; if it differs, the
 * approval is void and the call is reassessed.
 */
export function* voteOnCall(
  execution: Execution,
  found: FoundCall,
  command: VoteCommand,
  place: Delegation | undefined,
): Generator<void, void> {
  const { instance, approval } = found;
  const verdict = reassessCall(execution, instance, found.call);
  if (verdict === undefined) return;
  if (verdict.digest !== approval.digest || verdict.needs === 'refusal' || wantsMore(verdict, approval)) {
    withdrawCallApproval(execution, found, 'subject_changed');
    continueAgent(execution, instance.key);
    refuseStaleSubject(execution, pendingOf(execution, instance.key, found.call.callId));
    return;
  }
  if (
    refuseStaleDigest(execution, command, approval) ||
    refuseForeignEvidence(execution, command, callSubject(execution, instance, found.call)) ||
    refuseMissingComment(execution, command)
  )
    return;
  if (command.edited !== undefined) yield* voteForEdit(execution, found, { ...command, edited: command.edited });
  else if (!refuseSignature(execution, command, approval))
    recordCallVote(execution, instance, approval, verdict, command, place);
}

function pendingOf(execution: Execution, key: number, callId: string): PendingApproval | undefined {
  return approvalsOf(execution, execution.get(key)).find(
    (each) => each.kind === 'tool_call' && each.call.callId === callId,
  )?.approval;
}

/**
 * Returns whether the policy now requires a larger quorum, because the run has become riskier since the approval was
 * requested.
 */
function wantsMore({ decision }: CallAssessment, { quorum }: PendingApproval): boolean {
  return (decision.approval?.quorum ?? 1) > quorum;
}
