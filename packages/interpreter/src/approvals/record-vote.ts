import {
  countApprovals,
  type ApprovalVote,
  findCandidateNames,
  type Delegation,
  type ElementInstance,
  type PendingApproval,
  toRecordedActor,
  type VoteCommand,
  type RunEventMap,
} from '@countersign/model';
import type { Execution } from '../execution.js';
import { replaceApproval } from './find-approval.js';

/**
 * Records a vote with the digest of the subject that it applies to.
 *
 * @param usedDelegation the delegation or absence that lets the voter vote in place of another user
 */
export function recordVote(
  execution: Execution,
  instance: ElementInstance,
  approval: PendingApproval,
  command: VoteCommand,
  usedDelegation: Delegation | undefined,
): PendingApproval {
  const candidateNames =
    usedDelegation === undefined ? findCandidateNames(approval, command.actor) : (usedDelegation.fromNames ?? []);
  const newVote: ApprovalVote = {
    voteId: execution.nextId(),
    decision: command.decision,
    comment: command.comment,
    by: command.actor.id,
    byName: command.actor.name,
    ...(candidateNames.length === 0 ? {} : { askedAs: candidateNames }),
    at: execution.now,
    digest: approval.digest,
    ...toRecordedSignature(command),
    ...(command.shown === undefined ? {} : { shown: command.shown }),
  };
  const delegations = approval.delegations
    .filter((each) => each.from !== newVote.by || each.voteId !== undefined)
    .map((each) =>
      usedDelegation?.absenceId === undefined && each.from === usedDelegation?.from && each.to === usedDelegation.to
        ? { ...each, voteId: newVote.voteId }
        : each,
    );
  if (usedDelegation?.absenceId !== undefined) {
    // The absent user's only vote is now used, as with a delegation.
    delegations.push({ ...usedDelegation, voteId: newVote.voteId });
    execution.request({ type: 'absence.rely', absenceId: usedDelegation.absenceId });
  }
  const { notCounted = [] } = command;
  const earlierVotes = approval.votes.map((each) =>
    notCounted.includes(each.voteId) ? { ...each, counts: false as const } : each,
  );
  const updatedApproval: PendingApproval = { ...approval, delegations, votes: [...earlierVotes, newVote] };
  replaceApproval(execution, instance, updatedApproval);
  recordDecider(execution, newVote.by, approval);
  execution.emit(
    'approval.voted',
    instance,
    {
      approvalId: approval.approvalId,
      round: approval.round,
      voteId: newVote.voteId,
      decision: newVote.decision,
      digest: newVote.digest,
      ...(newVote.signature === undefined ? {} : { signed: true }),
      ...(notCounted.length === 0 ? {} : { notCounted: [...notCounted] }),
      ...(newVote.shown === undefined
        ? {}
        : { shown: newVote.shown.map(({ sha256, percent, downloaded }) => ({ sha256, percent, downloaded })) }),
    },
    {
      actor: { ...toRecordedActor(command.actor) },
      comment: newVote.comment,
      ...(newVote.askedAs === undefined ? {} : { askedAs: [...newVote.askedAs] }),
      ...toRecordedDelegation(usedDelegation, newVote.by),
      ...(newVote.signature === undefined ? {} : { signature: { ...newVote.signature } }),
      ...(newVote.shown === undefined ? {} : { shownNames: newVote.shown.map(({ name }) => name) }),
    },
  );
  return updatedApproval;
}

function recordDecider(
  execution: Execution,
  id: string,
  { separationOfDuties }: Pick<PendingApproval, 'separationOfDuties'>,
): void {
  const { deciders, separatedDeciders = [] } = execution.state;
  if (!deciders.includes(id)) execution.update({ deciders: [...deciders, id] });
  if (separationOfDuties !== 'off' && !separatedDeciders.includes(id))
    execution.update({ separatedDeciders: [...separatedDeciders, id] });
}

/**
 * Returns the user in whose place a vote was cast, and the delegation or absence that allowed it. These fields identify
 * people, so they are private. They include the absence, which the run's history does not record elsewhere.
 */
function toRecordedDelegation(
  usedDelegation: Delegation | undefined,
  voter: string,
): Pick<RunEventMap['approval.voted']['private'], 'inPlaceOf' | 'delegatedTo' | 'absence'> {
  if (usedDelegation === undefined) return {};
  const { from, to, until, absenceId } = usedDelegation;
  return {
    inPlaceOf: from,
    ...(to === voter ? {} : { delegatedTo: to }),
    ...(absenceId === undefined || until === null
      ? {}
      : { absence: { absenceId, until: new Date(until).toISOString() } }),
  };
}

/**
 * Returns the signature of a vote. It is private: its comment digest would allow guessing an erased comment, and its
 * key identifies a person.
 */
function toRecordedSignature({ signature }: VoteCommand): Pick<ApprovalVote, 'signature'> {
  return signature?.kind === 'holds' ? { signature: { keyId: signature.statement.keyId, jws: signature.jws } } : {};
}

/** Returns whether a vote resolves the approval: enough counted votes approve, or this vote does not approve. */
export function isResolvedBy({ votes, quorum }: PendingApproval, { decision }: Pick<VoteCommand, 'decision'>): boolean {
  return decision !== 'approve' || countApprovals(votes) >= quorum;
}
