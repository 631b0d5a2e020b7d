import type { VoteCommand } from '../../domain/commands.js';
import { recordedActor } from '../../domain/principal.js';
import type { ApprovalVote, ElementInstance, PendingApproval } from '../../domain/run-state.js';
import type { Execution } from '../execution.js';
import { replaceApproval } from './find-approval.js';

/** Records a vote, with the digest that it holds for. */
export function castVote(
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
    ...recordedSignature(command),
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
      ...(cast.signature === undefined ? {} : { signed: true }),
    },
    { actor: { ...recordedActor(command.actor) }, comment: cast.comment, ...(inPlaceOf === null ? {} : { inPlaceOf }), ...(cast.signature === undefined ? {} : { signature: { ...cast.signature } }) },
  );
  return voted;
}

/** Its digest of the comment would let somebody guess at an erased one, and its key names a person: so it is private. */
function recordedSignature({ signature }: VoteCommand): Pick<ApprovalVote, 'signature'> {
  return signature?.kind === 'holds' ? { signature: { keyId: signature.statement.keyId, jws: signature.jws } } : {};
}

/** Whether a vote settles the approval: enough people approve, or one does not. */
export function isDecided({ votes, quorum }: PendingApproval, { decision }: VoteCommand): boolean {
  return decision !== 'approve' || votes.filter((each) => each.decision === 'approve').length >= quorum;
}
