import type { VoteCommand } from '../../domain/commands.js';
import type { Delegation, PendingApproval } from '../../domain/run-state.js';
import { approvalsOf, type FoundCall } from '../approvals/find-approval.js';
import { refuseSignature } from '../approvals/refuse-signature.js';
import { refuseChanged, refuseUnseen, refuseWithoutComment } from '../approvals/vote-refusals.js';
import type { Execution } from '../execution.js';
import { castOnCall, verdictNow } from './cast-on-call.js';
import type { Verdict } from './decide-call.js';
import { goOn } from './go-on.js';
import { voidCall } from './void-call.js';
import { voteForEdit } from './vote-for-edit.js';

/**
 * A person decides on a call of an agent. The subject is made anew, with the artifacts and the policy as they are: another
 * one is void, and decided anew.
 */
export function voteOnCall(
  execution: Execution,
  found: FoundCall,
  command: VoteCommand,
  place: Delegation | undefined,
): void {
  const { instance, approval } = found;
  const verdict = verdictNow(execution, instance, found.call);
  if (verdict === undefined) return;
  if (verdict.digest !== approval.digest || verdict.needs === 'refusal' || wantsMore(verdict, approval)) {
    voidCall(execution, found, 'subject_changed');
    goOn(execution, instance.key);
    refuseChanged(execution, pendingOf(execution, instance.key, found.call.callId));
    return;
  }
  if (refuseUnseen(execution, command, approval) || refuseWithoutComment(execution, command)) return;
  if (command.edited !== undefined) voteForEdit(execution, found, { ...command, edited: command.edited });
  else if (!refuseSignature(execution, command, approval))
    castOnCall(execution, instance, approval, verdict, command, place);
}

function pendingOf(execution: Execution, key: number, callId: string): PendingApproval | undefined {
  return approvalsOf(execution, execution.get(key)).find(
    (each) => each.kind === 'tool_call' && each.call.callId === callId,
  )?.approval;
}

/** The same policy may want more people by now, of a run that has become riskier: those who were asked may be too few. */
function wantsMore({ decision }: Verdict, { quorum }: PendingApproval): boolean {
  return (decision.approval?.quorum ?? 1) > quorum;
}
