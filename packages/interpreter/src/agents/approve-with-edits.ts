import {
  type AgentCall,
  findIneligibilityReasons,
  type PendingApproval,
  findUsableDelegation,
  type ProposedCall,
  toRecordedActor,
  type VoteCommand,
} from '@countersign/model';
import { buildApprovalRecord } from '../approvals/build-approval-record.js';
import type { FoundCallApproval } from '../approvals/find-approval.js';
import { findExcludedUsers } from '../approvals/find-excluded-users.js';
import { refuseIneligible } from '../approvals/vote-refusals.js';
import { addContributors } from '../contributors.js';
import type { Execution } from '../execution.js';
import { toStepFailureOrRethrow } from '../incidents.js';
import { putCall } from './agent-state.js';
import { recordCallVote, reassessCall } from './record-call-vote.js';
import { openCallApproval, resolveApprovers, type CallApprovers } from './call-approval.js';
import { buildCallSubject } from './call-subject.js';
import { validateCall } from './validate-call.js';
import type { CallAssessment } from './assess-call.js';
import { emitCallRequested } from './start-call.js';
import { withdrawCallApproval } from './withdraw-call-approval.js';

/**
 * Handles a vote to approve a call with edited arguments. The policy evaluates the edited call, and a new round
 * requests its approval, because earlier votes were for another call. If separation of duties is on, the editor may not
 * decide, so a second person is needed (ADR 86). If it is off, the edit is also the editor's vote, unless votes must be
 * signed: the edited call is created here, so the editor cannot have signed it in advance.
 */
export function* approveWithEdits(
  execution: Execution,
  found: FoundCallApproval,
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
  const editedCall = buildEditedCall(call, edited, actor.id);
  if (editedCall.problem !== null) {
    execution.refuse('edit_not_possible', editedCall.problem.message);
    return;
  }
  const assessment = reassessCall(execution, instance, editedCall);
  if (assessment === undefined) return;
  if (assessment.needs === 'refusal') {
    execution.refuse('policy_denied', `The policy denies the call with these arguments: ${assessment.reason}`);
    return;
  }
  const approvers = resolveApproversForEdit(execution, found, assessment);
  if (approvers === undefined) return;
  const excluded = findExcludedUsers(execution, approval, buildCallSubject(execution, instance, call));
  const editedApproval = { ...approval, ...approvers };
  if (
    refuseIneligible(
      execution,
      findIneligibilityReasons(editedApproval, excluded, actor, execution.now, command.absences),
    )
  )
    return;
  // An edit that is not a vote is still recorded in the history with its comment.
  withdrawCallApproval(
    execution,
    found,
    'edited',
    approval.separationOfDuties === 'off' ? null : { actor: { ...toRecordedActor(actor) }, comment: command.comment },
  );
  const editedAssessment: CallAssessment = {
    ...assessment,
    needs: 'approval',
    call: putCall(execution, instance.key, assessment.call),
  };
  emitCallRequested(execution, instance.key, editedAssessment, command.comment);
  const openedApproval = openCallApproval(execution, instance.key, editedAssessment, approvers);
  // The editor is recorded even if allowed to decide this approval: another approval may exclude contributors.
  yield* addContributors(execution, [actor.id]);
  if (openedApproval.requireSignature === true || openedApproval.separationOfDuties !== 'off') {
    execution.approval = buildApprovalRecord(
      execution,
      execution.get(instance.key),
      openedApproval,
      buildCallSubject(execution, instance, editedAssessment.call),
    );
    return;
  }
  recordCallVote(
    execution,
    instance,
    openedApproval,
    editedAssessment,
    command,
    findUsableDelegation(editedApproval, excluded, actor, execution.now, command.absences),
  );
}

function buildEditedCall(call: AgentCall, edited: ProposedCall, editedBy: string): AgentCall {
  const { callId, toolCallId, taint, round, approvalId } = call;
  return {
    ...validateCall(edited),
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
 * Returns the previous approvers, unless the policy names others for the edited call. Delegations can be used again,
 * and a substitute can vote again for a user who is still absent.
 *
 * @returns `undefined` if the approvers cannot be evaluated from the BPMN model; the edit has then been refused
 */
function resolveApproversForEdit(
  execution: Execution,
  { instance, approval }: FoundCallApproval,
  { decision }: CallAssessment,
): CallApprovers | undefined {
  let currentApprovers: CallApprovers;
  try {
    currentApprovers = resolveApprovers(execution, instance, decision);
  } catch (error) {
    execution.refuse('edit_not_possible', toStepFailureOrRethrow(error).message);
    return undefined;
  }
  const { candidateUsers, candidateGroups } = decision.approval === undefined ? approval : currentApprovers;
  const delegations: PendingApproval['delegations'] = approval.delegations.flatMap(
    ({ from, fromNames, to, until, absenceId }) =>
      absenceId === undefined ? [{ from, ...(fromNames === undefined ? {} : { fromNames }), to, until }] : [],
  );
  // An administrator may have chosen the candidates.
  const { assignedBy } = approval;
  return {
    candidateUsers,
    candidateGroups,
    delegations,
    quorum: Math.max(approval.quorum, currentApprovers.quorum),
    ...(assignedBy === undefined ? {} : { assignedBy }),
  };
}
