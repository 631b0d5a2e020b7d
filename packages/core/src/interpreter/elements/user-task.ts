import type { PolicyDecision } from '../../domain/policy.js';
import type { ElementInstance } from '../../domain/run-state.js';
import type { UserTask } from '../../domain/workflow-graph.js';
import { openApproval } from '../approvals/open-approval.js';
import type { Execution } from '../execution.js';

/** A user task is an approval: it waits for people. */
export function requestApproval(
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
