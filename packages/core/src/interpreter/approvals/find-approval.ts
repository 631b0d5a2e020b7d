import type { ElementInstance, PendingApproval } from '../../domain/run-state.js';
import type { UserTask } from '../../domain/workflow-graph.js';
import type { Execution } from '../execution.js';
import { approvalWaitOf } from '../steps.js';

export interface FoundApproval {
  readonly instance: ElementInstance;
  readonly node: UserTask;
  readonly approval: PendingApproval;
}

/** The pending approval with an id. */
export function findApproval(execution: Execution, approvalId: string): FoundApproval | undefined {
  for (const instance of execution.all()) {
    const wait = approvalWaitOf(instance);
    if (wait?.approval.approvalId !== approvalId) continue;
    const node = execution.node(instance.elementId);
    if (node.kind === 'userTask') return { instance, node, approval: wait.approval };
  }
  return undefined;
}

export function replaceApproval(execution: Execution, instance: ElementInstance, approval: PendingApproval): void {
  const waits = (instance.waits ?? []).map((wait) => (wait.kind === 'approval' ? { ...wait, approval } : wait));
  execution.put({ ...instance, waits });
}
