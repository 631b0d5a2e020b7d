import { type FlowNode, type PolicyOutcome, unreachable } from '@countersign/model';

/** Returns why the policy decision prevents a step from starting, or `undefined` if the step may start. */
export function getPolicyRefusal(outcome: PolicyOutcome, node: FlowNode): string | undefined {
  switch (outcome) {
    case 'allow':
      return undefined;
    case 'deny':
      return 'The policy denies this step';
    case 'require_approval':
      // A user task is the approval itself.
      return node.kind === 'userTask'
        ? undefined
        : 'The policy requires an approval before this step, but the BPMN model has none';
    default:
      return unreachable(outcome);
  }
}
