import type { ApprovalDecision, Expression, FlowNode, SequenceFlow } from '@countersign/model';

/** Returns whether an expression reads only the decision in a result variable. */
export function readsOnlyDecision({ reads }: Expression, variable: string): boolean {
  return reads.length > 0 && reads.every(([name, field]) => name === variable && field === 'decision');
}

/**
 * Returns whether a condition is true after a decision, or without a decision (`null`); `undefined` if this depends on
 * other data.
 */
export function evaluateForDecision(
  condition: Expression,
  variable: string,
  decision: ApprovalDecision | null,
): boolean | undefined {
  if (!readsOnlyDecision(condition, variable)) return undefined;
  const value = decision === null ? undefined : { decision };
  try {
    return (
      condition.evaluate({ variables: { get: (name) => (name === variable ? value : undefined) }, now: 0 }) === true
    );
  } catch {
    return undefined;
  }
}

/** Returns the flows that a token may take after a decision; `isStuck` if it certainly takes none of them. */
export function findTakenFlows(
  node: FlowNode,
  variable: string,
  decision: ApprovalDecision,
): { readonly flows: readonly SequenceFlow[]; readonly isStuck: boolean } {
  if (node.kind !== 'exclusiveGateway' && node.kind !== 'inclusiveGateway')
    return { flows: node.outgoing, isStuck: false };
  const takenFlows: SequenceFlow[] = [];
  let isCertain = false;
  for (const flow of node.outgoing) {
    if (flow === node.defaultFlow) continue;
    const holds = flow.condition === null ? true : evaluateForDecision(flow.condition, variable, decision);
    if (holds === false) continue;
    takenFlows.push(flow);
    if (holds !== true) continue;
    isCertain = true;
    if (node.kind === 'exclusiveGateway') break;
  }
  if (!isCertain && node.defaultFlow !== null) takenFlows.push(node.defaultFlow);
  return { flows: takenFlows, isStuck: takenFlows.length === 0 && node.outgoing.length > 0 };
}
