import { type FlowNode, traitsOf } from '@countersign/model';

/**
 * Where a token may go on from a node, in the same scope: behind its flows and links, to the events at its border, and
 * back to the step that a request for changes repeats.
 */
export function nextElements(node: FlowNode): readonly string[] {
  const targets = [...node.outgoing.map((flow) => flow.targetId), ...node.boundaryEvents];
  if (node.kind === 'linkThrow') targets.push(node.targetId);
  const step = repeatedStep(node);
  return step === null ? targets : [...targets, step];
}

/** The step to which a request for changes sends the run back; `null` where the model decides, or where it can't. */
export function repeatedStep(node: FlowNode): string | null {
  return node.kind === 'userTask' && !node.approval.decidedByModel ? node.approval.reworkStep : null;
}

/** Waits until each of its flows has brought a token (BPMN 2.0, 13.4.1). */
export function isJoin(node: FlowNode): boolean {
  return traitsOf(node).merging === 'all' && node.incoming.length > 1;
}

/** Several flows meet there, and each token goes on by itself. */
export function isPlainMerge(node: FlowNode): boolean {
  return node.incoming.length > 1 && traitsOf(node).merging === 'each';
}

/** What is reached from some nodes; the nodes themselves too. `without` is not passed. */
export function reachableElements(
  nodes: ReadonlyMap<string, FlowNode>,
  from: Iterable<string>,
  without?: (node: FlowNode) => boolean,
): ReadonlySet<string> {
  const reached = new Set(from);
  // A set gives what is added to it while it is walked.
  for (const id of reached) {
    const node = nodes.get(id);
    if (node === undefined || without?.(node) === true) continue;
    for (const target of nextElements(node)) reached.add(target);
  }
  return reached;
}
