import type { AgentCall, ApprovalChange, PendingApproval, ToolConstraints } from '@countersign/model';
import { recordResolution, type Resolution } from '../approvals/record-resolution.js';
import type { Execution } from '../execution.js';
import { toStepFailureOrRethrow, raiseIncident } from '../incidents.js';
import { requireCall, putCall } from './agent-state.js';
import { APPROVAL_CHANGES_REQUESTED, refuseCall, APPROVAL_REJECTED } from './end-call.js';
import { continueAgent } from './continue-agent.js';
import { dispatchCall } from './start-call.js';
import { closeApprovalWait } from './withdraw-call-approval.js';

/** Resolves the approval of a call: executes exactly what was approved, or reports the refusal to the agent. */
export function resolveCallApproval(
  execution: Execution,
  key: number,
  callId: string,
  approval: PendingApproval,
  resolution: Resolution,
  toolConstraints: ToolConstraints,
): ApprovalChange {
  const change = recordResolution(execution, execution.get(key), approval, resolution);
  closeApprovalWait(execution, key, approval.approvalId);
  const call = requireCall(execution, key, callId);
  const { decision, comment } = resolution;
  if (decision === 'approve')
    dispatchApprovedCall(
      execution,
      key,
      putCall(execution, key, { ...call, status: 'job', approvedDigest: approval.digest }),
      toolConstraints,
    );
  else {
    const code = decision === 'reject' ? APPROVAL_REJECTED : APPROVAL_CHANGES_REQUESTED;
    const message =
      decision === 'reject'
        ? 'A person has rejected this call.'
        : 'A person requested changes to this call before it may be executed.';
    refuseCall(execution, key, call, code, { error: code, message, comment });
  }
  continueAgent(execution, key);
  return change;
}

/**
 * Dispatches an approved call. If an expression of the BPMN model cannot be evaluated, the approval remains valid:
 * recovering the step executes the same call.
 */
function dispatchApprovedCall(
  execution: Execution,
  key: number,
  call: AgentCall,
  toolConstraints: ToolConstraints,
): void {
  try {
    dispatchCall(execution, key, call, toolConstraints);
  } catch (error) {
    raiseIncident(execution, execution.get(key), toStepFailureOrRethrow(error), 'job');
  }
}
