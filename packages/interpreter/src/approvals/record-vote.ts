import {
  approvalsIn,
  type ApprovalVote,
  askedAs,
  type Delegation,
  type ElementInstance,
  type PendingApproval,
  recordedActor,
  type VoteCommand,
  type RunEventMap,
} from '@countersign/model';
import type { Execution } from '../execution.js';
import { replaceApproval } from './find-approval.js';

/**
 * Records a vote with the digest that it holds for.
 *
 * @param place the place of another user that the voter takes
 */
export function recordVote(
  execution: Execution,
  instance: ElementInstance,
  approval: PendingApproval,
  command: VoteCommand,
  place: Delegation | undefined,
): PendingApproval {
  const asked = place === undefined ? askedAs(approval, command.actor) : (place.fromNames ?? []);
  const cast: ApprovalVote = {
    voteId: execution.nextId(),
    decision: command.decision,
    comment: command.comment,
    by: command.actor.id,
    byName: command.actor.name,
    ...(asked.length === 0 ? {} : { askedAs: asked }),
    at: execution.now,
    digest: approval.digest,
    ...recordedSignature(command),
    ...(command.shown === undefined ? {} : { shown: command.shown }),
  };
  const delegations = approval.delegations
    .filter((each) => each.from !== cast.by || each.voteId !== undefined)
    .map((each) =>
      place?.absenceId === undefined && each.from === place?.from && each.to === place.to
        ? { ...each, voteId: cast.voteId }
        : each,
    );
  if (place?.absenceId !== undefined) {
    // The absent user's one vote is now spent, like a delegated one.
    delegations.push({ ...place, voteId: cast.voteId });
    execution.request({ type: 'absence.rely', absenceId: place.absenceId });
  }
  const { notCounted = [] } = command;
  const earlier = approval.votes.map((each) =>
    notCounted.includes(each.voteId) ? { ...each, counts: false as const } : each,
  );
  const voted: PendingApproval = { ...approval, delegations, votes: [...earlier, cast] };
  replaceApproval(execution, instance, voted);
  noteDecider(execution, cast.by, approval);
  execution.emit(
    'approval.voted',
    instance,
    {
      approvalId: approval.approvalId,
      round: approval.round,
      voteId: cast.voteId,
      decision: cast.decision,
      digest: cast.digest,
      ...(cast.signature === undefined ? {} : { signed: true }),
      ...(notCounted.length === 0 ? {} : { notCounted: [...notCounted] }),
      ...(cast.shown === undefined
        ? {}
        : { shown: cast.shown.map(({ sha256, percent, downloaded }) => ({ sha256, percent, downloaded })) }),
    },
    {
      actor: { ...recordedActor(command.actor) },
      comment: cast.comment,
      ...(cast.askedAs === undefined ? {} : { askedAs: [...cast.askedAs] }),
      ...recordedPlace(place, cast.by),
      ...(cast.signature === undefined ? {} : { signature: { ...cast.signature } }),
      ...(cast.shown === undefined ? {} : { shownNames: cast.shown.map(({ name }) => name) }),
    },
  );
  return voted;
}

function noteDecider(
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
 * Returns the place taken by a vote. It names persons, so it is private. It includes the absence, which the run's
 * history does not record otherwise.
 */
function recordedPlace(
  place: Delegation | undefined,
  voter: string,
): Pick<RunEventMap['approval.voted']['private'], 'inPlaceOf' | 'delegatedTo' | 'absence'> {
  if (place === undefined) return {};
  const { from, to, until, absenceId } = place;
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
function recordedSignature({ signature }: VoteCommand): Pick<ApprovalVote, 'signature'> {
  return signature?.kind === 'holds' ? { signature: { keyId: signature.statement.keyId, jws: signature.jws } } : {};
}

/** Returns whether a vote resolves the approval: enough counted votes approve, or this vote does not approve. */
export function isResolvedBy({ votes, quorum }: PendingApproval, { decision }: Pick<VoteCommand, 'decision'>): boolean {
  return decision !== 'approve' || approvalsIn(votes) >= quorum;
}
