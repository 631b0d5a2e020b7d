import {
  type ApprovalSubject,
  type Delegation,
  ineligibleBecause,
  type PendingApproval,
  placeTaken,
  votesNotCounted,
  type VoteCommand,
} from '@countersign/model';
import { voteOnCall } from '../agents/vote-on-call.js';
import { approvalRecord } from '../approvals/approval-record.js';
import { subjectOfApproval } from '../approvals/subject-of-approval.js';
import { recordVote, isResolvedBy } from '../approvals/record-vote.js';
import { changeApproval } from '../approvals/change-approval.js';
import { findApproval, type FoundTask } from '../approvals/find-approval.js';
import { refuseSignature } from '../approvals/refuse-signature.js';
import { isCaught, resolve } from '../approvals/resolve-approval.js';
import { excludedFrom } from '../approvals/separation-of-duties.js';
import { subjectDigest } from '../approvals/subject.js';
import { reopenApproval } from '../approvals/reopen-approval.js';
import {
  refuseStaleSubject,
  refuseForeignEvidence,
  refuseIneligible,
  refuseStaleDigest,
  refuseMissingComment,
} from '../approvals/vote-refusals.js';
import type { Execution } from '../execution.js';

/** Handles a user's vote. */
export function* vote(execution: Execution, command: VoteCommand): Generator<void, void> {
  const found = findApproval(execution, command.approvalId);
  if (found === undefined) {
    execution.refuse('approval_already_resolved', 'This approval is no longer pending.');
    return;
  }
  const { approval } = found;
  const subject = subjectOfApproval(execution, found);
  const excluded = excludedFrom(execution, approval, subject, command.contributorsUnderWay);
  // Recorded votes were allowed by the rules of their time.
  const isReplay = execution.context.isReplay === true;
  if (
    !isReplay &&
    refuseIneligible(execution, ineligibleBecause(approval, excluded, command.actor, execution.now, command.absences))
  )
    return;
  if (command.expectedRound !== null && command.expectedRound !== approval.round) {
    execution.refuse('stale_round', `This approval is in round ${approval.round}. Review it again.`, {
      round: approval.round,
    });
    return;
  }
  const place = isReplay
    ? placeRecorded(execution, approval, command)
    : placeTaken(approval, excluded, command.actor, execution.now, command.absences);
  const counting = isReplay ? command : { ...command, notCounted: votesNotCounted(approval, excluded) };
  if (found.kind === 'tool_call') yield* voteOnCall(execution, found, counting, place);
  else yield* voteOnTask(execution, found, subject, counting, place);
}

/** Returns the place that was recorded as taken, even if another one was also free. */
function placeRecorded(
  execution: Execution,
  approval: PendingApproval,
  { actor, absences, inPlaceOf }: VoteCommand,
): Delegation | undefined {
  const delegations = approval.delegations.filter(({ from }) => inPlaceOf === undefined || from === inPlaceOf);
  return placeTaken({ ...approval, delegations }, {}, actor, execution.now, absences);
}

function* voteOnTask(
  execution: Execution,
  found: FoundTask,
  subject: ApprovalSubject,
  command: VoteCommand,
  place: Delegation | undefined,
): Generator<void, void> {
  const { instance, node, approval } = found;
  if (command.edited !== undefined) {
    execution.refuse('edit_not_possible', 'This approval is not for a tool call, so there are no arguments to edit.');
    return;
  }
  if (subjectDigest(subject) !== approval.digest) {
    refuseStaleSubject(execution, reopenApproval(execution, found));
    return;
  }
  if (
    refuseStaleDigest(execution, command, approval) ||
    refuseForeignEvidence(execution, command, subject) ||
    refuseMissingComment(execution, command) ||
    refuseSignature(execution, command, approval)
  )
    return;
  const canGoBack = node.approval.decidedByModel || node.approval.reworkStep !== null;
  if (command.decision === 'request_changes' && !canGoBack && !isCaught(execution, instance, 'request_changes')) {
    execution.refuse(
      'rework_not_possible',
      'This workflow has no rework step for requested changes. Approve or reject.',
    );
    return;
  }
  const voted = recordVote(execution, instance, approval, command, place);
  execution.approval = approvalRecord(execution, instance, voted, subject);
  if (!isResolvedBy(voted, command)) {
    changeApproval(execution, voted, 'pending', null);
    return;
  }
  const change = yield* resolve(execution, execution.get(instance.key), node, voted, command);
  execution.approval = { ...execution.approval, ...change };
}
