import {
  type AgentCall,
  ineligibleBecause,
  type PendingApproval,
  placeTaken,
  type ProposedCall,
  recordedActor,
  type VoteCommand,
} from '@countersign/model';
import { approvalRecord } from '../approvals/approval-record.js';
import type { FoundCall } from '../approvals/find-approval.js';
import { excludedFrom } from '../approvals/separation-of-duties.js';
import { refuseIneligible } from '../approvals/vote-refusals.js';
import { addContributors } from '../contributors.js';
import type { Execution } from '../execution.js';
import { asStepFailure } from '../incidents.js';
import { putCall } from './agent-state.js';
import { recordCallVote, reassessCall } from './record-call-vote.js';
import { openCallApproval, resolveApprovers, type CallApprovers } from './call-approval.js';
import { callSubject } from './call-subject.js';
import { checkedCall } from './checked-call.js';
import type { CallAssessment } from './assess-call.js';
import { emitCallRequested } from './begin-call.js';
import { withdrawCallApproval } from './withdraw-call-approval.js';

/**
 * Handles an approval with edited arguments. The policy evaluates the edited call, and a new round asks for its
 * approval: earlier votes were for another call. If separation of duties is on, the editor may not decide, so a second
 * person is needed (ADR 86). If it is off, the edit is also the editor's vote, unless only signed votes count: the
 * edited call is assembled here, so nobody can have signed it yet.
 */
export function* voteForEdit(
  execution: Execution,
  found: FoundCall,
  command: VoteCommand & { readonly edited: ProposedCall },
): Generator<void, void> {
  const { instance, call, approval } = found;
  const { edited, actor, decision } = command;
  if (decision !== 'approve' || edited.tool !== call.tool) {
    execution.refuse('edit_not_possible', 'Arguments can be edited only with "approve", and for the same tool.');
    return;
  }
  if (command.signature !== undefined) {
    execution.refuse(
      'edit_not_possible',
      'An edited call is assembled on the server, so it cannot be signed in advance. Send the edit without a signature, then review and sign the new approval.',
    );
    return;
  }
  const proposed = editedCall(call, edited, actor.id);
  if (proposed.problem !== null) {
    execution.refuse('edit_not_possible', proposed.problem.message);
    return;
  }
  const verdict = reassessCall(execution, instance, proposed);
  if (verdict === undefined) return;
  if (verdict.needs === 'refusal') {
    execution.refuse('policy_denied', `The policy denies the call with these arguments: ${verdict.reason}`);
    return;
  }
  const asked = approversForEdit(execution, found, verdict);
  if (asked === undefined) return;
  const excluded = excludedFrom(execution, approval, callSubject(execution, instance, call));
  const inQuestion = { ...approval, ...asked };
  if (refuseIneligible(execution, ineligibleBecause(inQuestion, excluded, actor, execution.now, command.absences)))
    return;
  // An edit that is not a vote is still recorded in the history with its comment.
  withdrawCallApproval(
    execution,
    found,
    'edited',
    approval.separationOfDuties === 'off' ? null : { actor: { ...recordedActor(actor) }, comment: command.comment },
  );
  const decided: CallAssessment = {
    ...verdict,
    needs: 'approval',
    call: putCall(execution, instance.key, verdict.call),
  };
  emitCallRequested(execution, instance.key, decided, command.comment);
  const opened = openCallApproval(execution, instance.key, decided, asked);
  // Also if the editor may decide this approval: another approval of the run may require another person.
  yield* addContributors(execution, [actor.id]);
  if (opened.requireSignature === true || opened.separationOfDuties !== 'off') {
    execution.approval = approvalRecord(
      execution,
      execution.get(instance.key),
      opened,
      callSubject(execution, instance, decided.call),
    );
    return;
  }
  recordCallVote(
    execution,
    instance,
    opened,
    decided,
    command,
    placeTaken(inQuestion, excluded, actor, execution.now, command.absences),
  );
}

function editedCall(call: AgentCall, edited: ProposedCall, editedBy: string): AgentCall {
  const { callId, toolCallId, taint, round, approvalId } = call;
  return {
    ...checkedCall(edited),
    callId,
    toolCallId,
    taint,
    round: round + 1,
    pinned: [],
    status: 'approval',
    ...(approvalId === undefined ? {} : { approvalId }),
    editedBy,
  };
}

/**
 * Returns the previous approvers, unless the policy names others for the call in its current form. Delegations are open
 * again; a substitute takes an absent user's place again if the absence still lasts.
 *
 * @returns `undefined` if the BPMN model no longer gives the approvers; then nothing is decided, and the edit is
 * refused
 */
function approversForEdit(
  execution: Execution,
  { instance, approval }: FoundCall,
  { decision }: CallAssessment,
): CallApprovers | undefined {
  let now: CallApprovers;
  try {
    now = resolveApprovers(execution, instance, decision);
  } catch (error) {
    execution.refuse('edit_not_possible', asStepFailure(error).message);
    return undefined;
  }
  const { candidateUsers, candidateGroups } = decision.approval === undefined ? approval : now;
  const delegations: PendingApproval['delegations'] = approval.delegations.flatMap(
    ({ from, fromNames, to, until, absenceId }) =>
      absenceId === undefined ? [{ from, ...(fromNames === undefined ? {} : { fromNames }), to, until }] : [],
  );
  // The candidates may be those that an administrator chose.
  const { assignedBy } = approval;
  return {
    candidateUsers,
    candidateGroups,
    delegations,
    quorum: Math.max(approval.quorum, now.quorum),
    ...(assignedBy === undefined ? {} : { assignedBy }),
  };
}
