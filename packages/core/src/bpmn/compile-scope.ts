import type { FlowNode, ScopeDefinition, SequenceFlow } from '../domain/workflow-graph.js';
import { completeApprovals } from './approval-flow.js';
import type { CompileContext } from './compile-context.js';
import { compileNode } from './compile-node.js';
import type { ScopeDraft } from './draft-scope.js';
import { checkFlows, isNoneStart } from './flow-rules.js';
import { textOf } from './moddle.js';
import { requireExpression } from './values.js';

export interface CompiledScope {
  readonly definition: ScopeDefinition;
  /** In document order. */
  readonly nodes: ReadonlyMap<string, FlowNode>;
}

/** Compiles the nodes and flows of one scope. */
export function compileScope(context: CompileContext, draft: ScopeDraft): CompiledScope {
  checkFlows(context, draft);
  const flows = draft.flows.map((flow): SequenceFlow => {
    const { condition } = flow;
    const compiled =
      condition === undefined
        ? null
        : requireExpression(context, flow.id, 'conditionExpression', textOf(condition, 'body'));
    return { id: flow.id, sourceId: flow.sourceId, targetId: flow.targetId, condition: compiled ?? null };
  });
  const outgoing = groupBy(flows, (flow) => flow.sourceId);
  const incoming = groupBy(flows, (flow) => flow.targetId);

  const nodes = new Map<string, FlowNode>();
  for (const node of draft.nodes.values()) {
    const ends = { incoming: incoming.get(node.id) ?? [], outgoing: outgoing.get(node.id) ?? [] };
    const compiled = compileNode(context, node, ends);
    if (compiled !== undefined) nodes.set(node.id, compiled);
  }
  const noneStartEvents = [...draft.nodes.values()].filter(isNoneStart).map((node) => node.id);
  const [entry] = noneStartEvents;
  // Setting a key again keeps its place, so the nodes stay in document order.
  if (entry !== undefined) for (const task of completeApprovals(context, nodes, entry)) nodes.set(task.id, task);
  return { definition: { id: draft.id, parentId: draft.parentId, noneStartEvents, triggeredStartEvents: [], eventSubProcesses: [] }, nodes };
}

function groupBy(
  flows: readonly SequenceFlow[],
  key: (flow: SequenceFlow) => string,
): ReadonlyMap<string, SequenceFlow[]> {
  const groups = new Map<string, SequenceFlow[]>();
  for (const flow of flows) {
    const group = groups.get(key(flow));
    if (group === undefined) groups.set(key(flow), [flow]);
    else group.push(flow);
  }
  return groups;
}
