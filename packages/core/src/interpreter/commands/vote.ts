import { ineligibleBecause, placeTaken, type EligibilityReason } from '../../domain/approval-rules.js';
import type { VoteCommand } from '../../domain/commands.js';
import { recordedActor } from '../../domain/principal.js';
import type { ApprovalVote, ElementInstance, PendingApproval } from '../../domain/run-state.js';
import type { UserTask } from '../../domain/workflow-graph.js';
import { approvalRecord } from '../approvals/approval-record.js';
import { changeApproval } from '../approvals/change-approval.js';
import { findApproval, replaceApproval } from '../approvals/find-approval.js';
import { isCaught, resolve } from '../approvals/resolve-approval.js';
import { excludedFrom } from '../approvals/separation-of-duties.js';
import { subjectDigest, subjectOf } from '../approvals/subject.js';
import { askAgain } from '../approvals/void-approval.js';
import type { Execution } from '../execution.js';

const REFUSALS: Record<EligibilityReason, string> = {
  service_cannot_decide: 'Only people decide approvals; this token belongs to a service or an agent.',
  not_a_candidate: 'You are not among those who are asked.',
  self_approval: 'You started this run or edited what is being approved, so somebody else must decide.',
  already_voted: 'You have voted on this approval already, or somebody did in your place.',
};

/** A person decides. */
export function vote(execution: Execution, command: VoteCommand): void {
  const found = findApproval(execution, command.approvalId);
  if (found === undefined) {
    execution.refuse('approval_already_resolved', 'This approval is not pending any more.');
    return;
  }
  const { instance, node, approval } = found;
  const subject = subjectOf(execution, node, instance);
  const excluded = excludedFrom(execution.state, approval, subject);
  const [reason] = ineligibleBecause(approval, excluded, command.actor, execution.now);
  if (reason !== undefined) {
    execution.refuse(reason, REFUSALS[reason]);
    return;
  }
  if (isStale(execution, found, command, subjectDigest(subject))) return;
  if (command.decision === 'request_changes') {
    if (command.comment === null || command.comment.trim() === '') {
      execution.refuse('comment_required', 'Say in the comment what has to be changed.');
      return;
    }
    if (!isCaught(execution, instance, 'request_changes') && !node.approval.decidedByModel && node.approval.reworkStep === null) {
      execution.refuse('rework_not_possible', 'This workflow has no step that the run could go back to. Approve or reject.');
      return;
    }
  }
  const inPlaceOf = placeTaken(approval, excluded, command.actor, execution.now)?.from ?? null;
  const voted = recordVote(execution, instance, approval, command, inPlaceOf);
  execution.approval = approvalRecord(execution, instance, voted, subject);
  const approvals = voted.votes.filter((each) => each.decision === 'approve').length;
  if (command.decision !== 'approve' || approvals >= voted.quorum) {
    const change = resolve(execution, execution.get(instance.key), node, voted, command);
    execution.approval = { ...execution.approval, ...change };
    return;
  }
  changeApproval(execution, voted, 'pending', null);
}

function isStale(
  execution: Execution,
  found: { instance: ElementInstance; node: UserTask; approval: PendingApproval },
  command: VoteCommand,
  digest: string,
): boolean {
  const { approval } = found;
  if (command.expectedRound !== null && command.expectedRound !== approval.round) {
    execution.refuse('stale_round', `This approval is in round ${approval.round}. Look at it again.`, {
      round: approval.round,
    });
    return true;
  }
  if (digest !== approval.digest) {
    const next = askAgain(execution, found);
    execution.refuse('stale_digest', 'What is being approved has changed, so it is asked anew. Look at the new approval.', {
      approvalId: next.approvalId,
      round: next.round,
      digest: next.digest,
    });
    return true;
  }
  if (command.expectedDigest !== null && command.expectedDigest !== digest) {
    execution.refuse('stale_digest', 'What you were shown is not what is being approved. Look at it again.', {
      approvalId: approval.approvalId,
      round: approval.round,
      digest,
    });
    return true;
  }
  return false;
}

function recordVote(
  execution: Execution,
  instance: ElementInstance,
  approval: PendingApproval,
  command: VoteCommand,
  inPlaceOf: string | null,
): PendingApproval {
  const cast: ApprovalVote = {
    voteId: execution.nextId(),
    decision: command.decision,
    comment: command.comment,
    by: command.actor.id,
    byName: command.actor.name,
    at: execution.now,
    digest: approval.digest,
  };
  const delegations = approval.delegations
    .filter((each) => each.from !== cast.by || each.voteId !== undefined)
    .map((each) => (each.from === inPlaceOf && each.to === cast.by ? { ...each, voteId: cast.voteId } : each));
  const voted: PendingApproval = { ...approval, delegations, votes: [...approval.votes, cast] };
  replaceApproval(execution, instance, voted);
  const { deciders } = execution.state;
  if (!deciders.includes(cast.by)) execution.update({ deciders: [...deciders, cast.by] });
  execution.emit(
    'approval.voted',
    instance,
    {
      approvalId: approval.approvalId,
      round: approval.round,
      voteId: cast.voteId,
      decision: cast.decision,
      digest: cast.digest,
    },
    { actor: { ...recordedActor(command.actor) }, comment: cast.comment, ...(inPlaceOf === null ? {} : { inPlaceOf }) },
  );
  return voted;
}
