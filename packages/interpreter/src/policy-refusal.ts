import { type FlowNode, type PolicyOutcome, unreachable } from '@countersign/model';

/** Why a step may not begin by what the policy says; `undefined` where it may. */
export function policyRefusal(outcome: PolicyOutcome, node: FlowNode): string | undefined {
  switch (outcome) {
    case 'allow':
      return undefined;
    case 'deny':
      return 'The policy denies this step';
    case 'require_approval':
      // A user task is the approval itself.
      return node.kind === 'userTask'
        ? undefined
        : 'The policy asks for an approval of this step itself, and the model has none in front of it';
    default:
      return unreachable(outcome);
  }
}
