import { DECISION_ERRORS, type FlowNode, type Trigger, type WorkflowGraph } from '@countersign/model';

/**
 * Returns whether approvers of a user task may request changes, as far as the BPMN model alone shows it. If not, each
 * such vote is refused with `rework_not_possible`. A vote may also be refused although this returns `true`: an event
 * whose error code is an expression may catch another decision.
 */
export function canRequestChanges(
  { nodes, scopes }: Pick<WorkflowGraph, 'nodes' | 'scopes'>,
  elementId: string,
): boolean {
  const task = nodes.get(elementId);
  if (task?.kind !== 'userTask') return true;
  if (task.approval.outcomeHandledByBpmn || task.approval.reworkStep !== null) return true;
  const catchesRequest = (id: string): boolean => {
    const node = nodes.get(id);
    return (node?.kind === 'boundaryEvent' || node?.kind === 'startEvent') && node.triggers.some(mayCatchRequest);
  };
  for (let node: FlowNode | undefined = task; node !== undefined; node = nodes.get(node.scopeId)) {
    const eventSubProcesses = scopes.get(node.scopeId)?.eventSubProcesses ?? [];
    const startEvents = eventSubProcesses.flatMap((id) => scopes.get(id)?.triggeredStartEvents ?? []);
    if ([...node.boundaryEvents, ...startEvents].some(catchesRequest)) return true;
  }
  return false;
}

/** Returns whether an event may catch a request for changes. An event for any error does not catch decisions. */
function mayCatchRequest(trigger: Trigger): boolean {
  if (trigger.kind !== 'error' || trigger.code === null) return false;
  return !('literal' in trigger.code) || trigger.code.literal === DECISION_ERRORS.request_changes;
}
