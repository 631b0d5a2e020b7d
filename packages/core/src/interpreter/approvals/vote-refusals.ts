import type { EligibilityReason } from '../../domain/approval-rules.js';
import type { VoteCommand } from '../../domain/commands.js';
import type { PendingApproval } from '../../domain/run-state.js';
import type { Execution } from '../execution.js';

const REASONS: Record<EligibilityReason, string> = {
  service_cannot_decide: 'Only people decide approvals; this token belongs to a service or an agent.',
  not_a_candidate: 'You are not among those who are asked.',
  self_approval: 'You started this run or edited what is being approved, so somebody else must decide.',
  already_voted: 'You have voted on this approval already, or somebody did in your place.',
};

/** @returns whether the vote was refused, as all here */
export function refuseIneligible(execution: Execution, [reason]: readonly EligibilityReason[]): boolean {
  if (reason === undefined) return false;
  execution.refuse(reason, REASONS[reason]);
  return true;
}

/** The subject is not what people were asked about. @param next what they are asked now; `undefined`: nothing any more */
export function refuseChanged(execution: Execution, next: PendingApproval | undefined): void {
  if (next === undefined) {
    execution.refuse(
      'stale_digest',
      'What is being approved has changed, and by the policy as it is now nobody is asked about it any more. Look at the run.',
    );
    return;
  }
  const { approvalId, round, digest } = next;
  execution.refuse(
    'stale_digest',
    'What is being approved has changed, so it is asked anew. Look at the new approval.',
    { approvalId, round, digest },
  );
}

export function refuseUnseen(
  execution: Execution,
  { expectedDigest }: VoteCommand,
  { approvalId, round, digest }: PendingApproval,
): boolean {
  if (expectedDigest === null || expectedDigest === digest) return false;
  execution.refuse('stale_digest', 'What you were shown is not what is being approved. Look at it again.', {
    approvalId,
    round,
    digest,
  });
  return true;
}

export function refuseWithoutComment(execution: Execution, { decision, comment }: VoteCommand): boolean {
  if (decision !== 'request_changes' || (comment !== null && comment.trim() !== '')) return false;
  execution.refuse('comment_required', 'Say in the comment what has to be changed.');
  return true;
}
