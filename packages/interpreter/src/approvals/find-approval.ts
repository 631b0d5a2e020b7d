import type { AgentCall, ApprovalWait, ElementInstance, JobTask, PendingApproval, UserTask } from '@countersign/model';
import type { Execution } from '../execution.js';

interface FoundApprovalBase {
  readonly instance: ElementInstance;
  readonly approval: PendingApproval;
}

/** The approval of a user task. */
export interface FoundTaskApproval extends FoundApprovalBase {
  readonly kind: 'user_task';
  readonly node: UserTask;
}

/** The approval of a call that an agent proposes. */
export interface FoundCallApproval extends FoundApprovalBase {
  readonly kind: 'tool_call';
  readonly node: JobTask;
  readonly call: AgentCall;
}

export type FoundApproval = FoundTaskApproval | FoundCallApproval;

/** Returns the pending approval with an id. */
export function findApproval(execution: Execution, approvalId: string): FoundApproval | undefined {
  for (const instance of execution.getInstances()) {
    const found = findPendingApprovals(execution, instance).find(({ approval }) => approval.approvalId === approvalId);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the pending approvals of an instance: at most one for a user task, any number for an agent. */
export function findPendingApprovals(execution: Execution, instance: ElementInstance): FoundApproval[] {
  return (instance.waits ?? []).flatMap((wait): FoundApproval[] =>
    wait.kind === 'approval' ? [toFoundApproval(execution, instance, wait)] : [],
  );
}

function toFoundApproval(
  execution: Execution,
  instance: ElementInstance,
  { approval, callId }: ApprovalWait,
): FoundApproval {
  const node = execution.node(instance.elementId);
  const call = instance.agent?.calls.find((each) => each.callId === callId);
  if (node.kind === 'jobTask' && call !== undefined) return { kind: 'tool_call', instance, node, approval, call };
  if (node.kind === 'userTask') return { kind: 'user_task', instance, node, approval };
  throw new Error(`The approval at "${node.id}" belongs neither to a user task nor to a call of an agent.`);
}

export function replaceApproval(execution: Execution, instance: ElementInstance, approval: PendingApproval): void {
  const isSameApproval = (wait: ApprovalWait): boolean => wait.approval.approvalId === approval.approvalId;
  const waits = (instance.waits ?? []).map((wait) =>
    wait.kind === 'approval' && isSameApproval(wait) ? { ...wait, approval } : wait,
  );
  execution.put({ ...instance, waits });
}
