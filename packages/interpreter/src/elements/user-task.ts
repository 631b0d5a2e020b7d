import type { ElementInstance, PolicyDecision, UserTask } from '@countersign/model';
import { openApproval } from '../approvals/open-approval.js';
import type { Execution } from '../execution.js';

/** Requests the approval that a user task represents. */
export function openTaskApproval(
  execution: Execution,
  node: UserTask,
  instance: ElementInstance,
  decision: PolicyDecision,
): void {
  openApproval(execution, node, instance, {
    riskLevel: decision.riskLevel,
    riskFactors: decision.riskFactors,
    rationale: decision.rationale,
  });
}
