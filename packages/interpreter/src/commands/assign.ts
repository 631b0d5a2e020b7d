import {
  askedAs,
  type DelegateCommand,
  hasVoted,
  isNamed,
  type PendingApproval,
  personBehind,
  type ReassignCommand,
  recordedActor,
  type RunEventMap,
} from '@countersign/model';
import { approvalRecord } from '../approvals/approval-record.js';
import { changeApproval } from '../approvals/change-approval.js';
import { findApproval, replaceApproval, type FoundApproval } from '../approvals/find-approval.js';
import { excludedFrom } from '../approvals/separation-of-duties.js';
import { subjectOfApproval } from '../approvals/subject-of-approval.js';
import type { Execution } from '../execution.js';

/** Lets a candidate delegate the vote to another user. Users who may not decide may not delegate. */
export function delegate(execution: Execution, command: DelegateCommand): void {
  const found = pending(execution, command.approvalId);
  if (found === undefined) return;
  const { approval } = found;
  const excluded = excludedFrom(execution, approval, subjectOfApproval(execution, found));
  if (command.actor.type !== 'user' || !isNamed(approval, command.actor)) {
    execution.refuse('not_a_candidate', 'Only candidates can delegate.');
    return;
  }
  if (execution.context.isReplay !== true && Object.hasOwn(excluded, command.actor.id)) {
    execution.refuse('self_approval', 'You may not vote on this approval, so you cannot delegate it.');
    return;
  }
  if (execution.context.isReplay !== true && hasVoted(approval, command.actor)) {
    execution.refuse('already_voted', 'Your vote on this approval has already been cast, by you or in your place.');
    return;
  }
  const fromNames = askedAs(approval, command.actor);
  const named = fromNames.length === 0 ? {} : { fromNames };
  const delegation = { from: command.actor.id, ...named, to: command.to, until: command.until };
  const delegations = [...approval.delegations.filter((each) => each.from !== delegation.from), delegation];
  change(execution, found, { ...approval, delegations }, 'approval.delegated', {
    actor: { ...recordedActor(command.actor) },
    ...(fromNames.length === 0 ? {} : { askedAs: [...fromNames] }),
    to: command.to,
    until: command.until === null ? null : new Date(command.until).toISOString(),
  });
}

/** Replaces the candidates on behalf of an administrator. Cast votes and their places stay. */
export function reassign(execution: Execution, command: ReassignCommand): void {
  const found = pending(execution, command.approvalId);
  if (found === undefined) return;
  const { approval } = found;
  const { actor } = command;
  // An administrator who was already a candidate gains nothing by reassigning.
  const chooser = personBehind(actor);
  const chooses =
    chooser !== undefined &&
    !(actor.type === 'user' && isNamed(approval, actor)) &&
    approval.assignedBy?.includes(chooser) !== true;
  const candidates = {
    candidateUsers: command.candidateUsers,
    candidateGroups: command.candidateGroups,
    ...(chooses ? { assignedBy: [...(approval.assignedBy ?? []), chooser] } : {}),
  };
  change(
    execution,
    found,
    { ...approval, ...candidates, delegations: approval.delegations.filter((each) => each.voteId !== undefined) },
    'approval.reassigned',
    {
      actor: { ...recordedActor(command.actor) },
      candidateUsers: [...command.candidateUsers],
      candidateGroups: [...command.candidateGroups],
      comment: command.comment,
    },
  );
}

function pending(execution: Execution, approvalId: string): FoundApproval | undefined {
  const found = findApproval(execution, approvalId);
  if (found === undefined) {
    execution.refuse('approval_already_resolved', 'This approval is no longer pending.');
  }
  return found;
}

function change<K extends 'approval.delegated' | 'approval.reassigned'>(
  execution: Execution,
  found: FoundApproval,
  approval: PendingApproval,
  event: K,
  privateData: RunEventMap[K]['private'],
): void {
  const { instance } = found;
  replaceApproval(execution, instance, approval);
  changeApproval(execution, approval, 'pending', null);
  const record = approvalRecord(execution, instance, approval, subjectOfApproval(execution, found));
  execution.request({ type: 'approval.exclude', approvalId: approval.approvalId, excluded: record.excluded });
  execution.emit(event, instance, { approvalId: approval.approvalId, round: approval.round }, privateData);
  execution.approval = record;
}
