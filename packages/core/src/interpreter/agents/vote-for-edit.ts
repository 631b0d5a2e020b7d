import { ineligibleBecause, placeTaken } from '../../domain/approval-rules.js';
import type { AgentCall, ProposedCall } from '../../domain/agent.js';
import type { VoteCommand } from '../../domain/commands.js';
import type { PendingApproval } from '../../domain/run-state.js';
import { approvalRecord } from '../approvals/approval-record.js';
import type { FoundCall } from '../approvals/find-approval.js';
import { excludedFrom } from '../approvals/separation-of-duties.js';
import { refuseIneligible } from '../approvals/vote-refusals.js';
import type { Execution } from '../execution.js';
import { asStepFailure } from '../incidents.js';
import { putCall } from './agent-state.js';
import { castOnCall, verdictNow } from './cast-on-call.js';
import { openCallApproval, whoIsAsked, type Asked } from './call-approval.js';
import { callSubject } from './call-subject.js';
import { checkedCall } from './checked-call.js';
import type { Verdict } from './decide-call.js';
import { announce } from './take-up-call.js';
import { voidCall } from './void-call.js';

/**
 * A person approves a call with other arguments. The policy is asked about those, and a new round asks about the call as it
 * is now, with this vote as its first: earlier ones were for another call. Whoever edits is answerable for the edit, and so
 * may be the only one who approves it. Where only signed votes count, the new round begins without a vote, and whoever edits
 * signs it like everybody else.
 */
export function voteForEdit(
  execution: Execution,
  found: FoundCall,
  command: VoteCommand & { readonly edited: ProposedCall },
): void {
  const { instance, call, approval } = found;
  const { edited, actor, decision } = command;
  if (decision !== 'approve' || edited.tool !== call.tool) {
    execution.refuse('edit_not_possible', 'Other arguments are given with an approval, and for the same tool.');
    return;
  }
  if (command.signature !== undefined) {
    execution.refuse(
      'edit_not_possible',
      'What an edit makes of the call is put together here, so it can not be signed before. Send the edit without a signature, look at the new approval, and sign that one.',
    );
    return;
  }
  const proposed = editedCall(call, edited, actor.id);
  if (proposed.problem !== null) {
    execution.refuse('edit_not_possible', proposed.problem.message);
    return;
  }
  const verdict = verdictNow(execution, instance, proposed);
  if (verdict === undefined) return;
  if (verdict.needs === 'refusal') {
    execution.refuse('policy_denied', `With these arguments the policy does not allow the call: ${verdict.reason}`);
    return;
  }
  const asked = askedFor(execution, found, verdict);
  if (asked === undefined) return;
  const excluded = excludedFrom(execution.state, approval, callSubject(execution, instance, verdict.call));
  const inQuestion = { ...approval, ...asked };
  if (refuseIneligible(execution, ineligibleBecause(inQuestion, excluded, actor, execution.now, command.absences)))
    return;
  voidCall(execution, found, 'edited');
  const decided: Verdict = { ...verdict, needs: 'approval', call: putCall(execution, instance.key, verdict.call) };
  announce(execution, instance.key, decided);
  const opened = openCallApproval(execution, instance.key, decided, asked);
  if (opened.requireSignature === true) {
    // Nobody has signed this call yet, the one who edited it neither.
    execution.approval = approvalRecord(
      execution,
      execution.get(instance.key),
      opened,
      callSubject(execution, instance, decided.call),
    );
    return;
  }
  castOnCall(
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
 * Those who were asked, unless the policy names others for the call as it is now. Delegations are open again; whoever took
 * the place of somebody who was away does so again if they still are.
 *
 * @returns `undefined` where the model does not say any more who is asked: then nothing is decided, and the edit is refused
 */
function askedFor(execution: Execution, { instance, approval }: FoundCall, { decision }: Verdict): Asked | undefined {
  let now: Asked;
  try {
    now = whoIsAsked(execution, instance, decision);
  } catch (error) {
    execution.refuse('edit_not_possible', asStepFailure(error).message);
    return undefined;
  }
  const { candidateUsers, candidateGroups } = decision.approval === undefined ? approval : now;
  const delegations: PendingApproval['delegations'] = approval.delegations.flatMap(({ from, to, until, absenceId }) =>
    absenceId === undefined ? [{ from, to, until }] : [],
  );
  return { candidateUsers, candidateGroups, delegations, quorum: Math.max(approval.quorum, now.quorum) };
}
