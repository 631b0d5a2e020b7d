import { type FlowNode, getNodeTraits } from '@countersign/model';

/**
 * Returns the elements of the same scope that a token may reach next from a node: over its flows and links, its
 * boundary events, and the step that a request for changes repeats.
 */
export function getNextElements(node: FlowNode): readonly string[] {
  const targets = [...node.outgoing.map((flow) => flow.targetId), ...node.boundaryEvents];
  if (node.kind === 'linkThrow') targets.push(node.targetId);
  const step = getReworkStep(node);
  return step === null ? targets : [...targets, step];
}

/**
 * Returns the step to which a request for changes sends the run back; `null` if the model handles the decision, or if
 * there is no such step.
 */
export function getReworkStep(node: FlowNode): string | null {
  return node.kind === 'userTask' && !node.approval.outcomeHandledByBpmn ? node.approval.reworkStep : null;
}

/** Returns whether a node waits for a token on each of its flows (BPMN 2.0, 13.4.1). */
export function isJoin(node: FlowNode): boolean {
  return getNodeTraits(node).merging === 'all' && node.incoming.length > 1;
}

/** Returns whether several flows meet at a node, and each token continues without waiting for others. */
export function isPlainMerge(node: FlowNode): boolean {
  return node.incoming.length > 1 && getNodeTraits(node).merging === 'each';
}

/**
 * Returns the elements reachable from the nodes in `from`, including these nodes. Paths do not continue past nodes for
 * which `isBlocked` is true.
 */
export function findReachableElements(
  nodes: ReadonlyMap<string, FlowNode>,
  from: Iterable<string>,
  isBlocked?: (node: FlowNode) => boolean,
): ReadonlySet<string> {
  const reached = new Set(from);
  // Iterating a set includes the elements added during the iteration.
  for (const id of reached) {
    const node = nodes.get(id);
    if (node === undefined || isBlocked?.(node) === true) continue;
    for (const target of getNextElements(node)) reached.add(target);
  }
  return reached;
}
