import {
  type ApprovalSubject,
  type Delegation,
  findIneligibilityReasons,
  type PendingApproval,
  findUsableDelegation,
  findUncountedVotes,
  type VoteCommand,
} from '@countersign/model';
import { voteOnCall } from '../agents/vote-on-call.js';
import { buildApprovalRecord } from '../approvals/build-approval-record.js';
import { buildApprovalSubject } from '../approvals/build-approval-subject.js';
import { recordVote, isResolvedBy } from '../approvals/record-vote.js';
import { changeApproval } from '../approvals/change-approval.js';
import { findApproval, type FoundTaskApproval } from '../approvals/find-approval.js';
import { refuseSignature } from '../approvals/refuse-signature.js';
import { isDecisionCaught, resolveApproval } from '../approvals/resolve-approval.js';
import { findExcludedUsers } from '../approvals/find-excluded-users.js';
import { computeSubjectDigest } from '../approvals/subject.js';
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
  const subject = buildApprovalSubject(execution, found);
  const excluded = findExcludedUsers(execution, approval, subject, command.pendingContributors);
  // A recorded vote was allowed when it was cast, so a replay does not check it again.
  const isReplay = execution.context.isReplay === true;
  if (
    !isReplay &&
    refuseIneligible(
      execution,
      findIneligibilityReasons(approval, excluded, command.actor, execution.now, command.absences),
    )
  )
    return;
  if (command.expectedRound !== null && command.expectedRound !== approval.round) {
    execution.refuse('stale_round', `This approval is in round ${approval.round}. Review it again.`, {
      round: approval.round,
    });
    return;
  }
  const usedDelegation = isReplay
    ? findRecordedDelegation(execution, approval, command)
    : findUsableDelegation(approval, excluded, command.actor, execution.now, command.absences);
  const recordedCommand = isReplay ? command : { ...command, notCounted: findUncountedVotes(approval, excluded) };
  if (found.kind === 'tool_call') yield* voteOnCall(execution, found, recordedCommand, usedDelegation);
  else yield* voteOnTask(execution, found, subject, recordedCommand, usedDelegation);
}

/** Returns the delegation or absence that was recorded for the vote, even if another one was also usable. */
function findRecordedDelegation(
  execution: Execution,
  approval: PendingApproval,
  { actor, absences, inPlaceOf }: VoteCommand,
): Delegation | undefined {
  const delegations = approval.delegations.filter(({ from }) => inPlaceOf === undefined || from === inPlaceOf);
  return findUsableDelegation({ ...approval, delegations }, {}, actor, execution.now, absences);
}

function* voteOnTask(
  execution: Execution,
  found: FoundTaskApproval,
  subject: ApprovalSubject,
  command: VoteCommand,
  usedDelegation: Delegation | undefined,
): Generator<void, void> {
  const { instance, node, approval } = found;
  if (command.edited !== undefined) {
    execution.refuse('edit_not_possible', 'This approval is not for a tool call, so there are no arguments to edit.');
    return;
  }
  if (computeSubjectDigest(subject) !== approval.digest) {
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
  const canRequestChanges = node.approval.outcomeHandledByBpmn || node.approval.reworkStep !== null;
  if (
    command.decision === 'request_changes' &&
    !canRequestChanges &&
    !isDecisionCaught(execution, instance, 'request_changes')
  ) {
    execution.refuse(
      'rework_not_possible',
      'This workflow has no rework step for requested changes. Approve or reject.',
    );
    return;
  }
  const updatedApproval = recordVote(execution, instance, approval, command, usedDelegation);
  execution.approval = buildApprovalRecord(execution, instance, updatedApproval, subject);
  if (!isResolvedBy(updatedApproval, command)) {
    changeApproval(execution, updatedApproval, 'pending', null);
    return;
  }
  const change = yield* resolveApproval(execution, execution.get(instance.key), node, updatedApproval, command);
  execution.approval = { ...execution.approval, ...change };
}
