import type { FlowNode, ScopeDefinition, SequenceFlow } from '@countersign/model';
import { completeApprovals } from './approval-flow.js';
import type { CompileContext } from './compile-context.js';
import { checkCompensationHandlers } from './compensation.js';
import { compileNode } from './compile-node.js';
import type { NodeDraft, ScopeDraft } from './scope-draft.js';
import { checkEvents } from './event-rules.js';
import { checkFlows } from './flow-rules.js';
import { requireFormalExpression } from './expression-language.js';
import { checkGateways } from './gateway-rules.js';
import { isEventSubProcess, isNoneStart, isTriggeredStart } from './node-kinds.js';
import { checkScope } from './scope-rules.js';
import { findScopeEntries } from './scope-entries.js';

export interface CompiledScopes {
  readonly scopes: ReadonlyMap<string, ScopeDefinition>;
  /** Nodes in document order. */
  readonly nodes: ReadonlyMap<string, FlowNode>;
}

/** Compiles the nodes and flows of a process and of all nested scopes. */
export function compileScopes(context: CompileContext, draft: ScopeDraft): CompiledScopes {
  const scopes = new Map<string, ScopeDefinition>();
  const nodes = new Map<string, FlowNode>();
  compileScope(context, draft, scopes, nodes);
  return { scopes, nodes };
}

function compileScope(
  context: CompileContext,
  draft: ScopeDraft,
  scopes: Map<string, ScopeDefinition>,
  allNodes: Map<string, FlowNode>,
): void {
  checkScope(context, draft);
  checkFlows(context, draft);
  checkGateways(context, draft);
  checkEvents(context, draft);
  checkCompensationHandlers(context, draft);
  scopes.set(draft.id, defineScope(draft));
  const flows = draft.flows.map((flow): SequenceFlow => {
    const { condition } = flow;
    const compiled =
      condition === undefined ? null : requireFormalExpression(context, flow.id, 'conditionExpression', condition);
    return { id: flow.id, sourceId: flow.sourceId, targetId: flow.targetId, condition: compiled ?? null };
  });
  const outgoing = groupBy(flows, (flow) => flow.sourceId);
  const incoming = groupBy(flows, (flow) => flow.targetId);

  const scopeNodes = new Map<string, FlowNode>();
  for (const node of draft.nodes.values()) {
    const nodeFlows = { incoming: incoming.get(node.id) ?? [], outgoing: outgoing.get(node.id) ?? [] };
    const compiled = compileNode(context, node, nodeFlows);
    if (compiled !== undefined) {
      scopeNodes.set(node.id, compiled);
      allNodes.set(node.id, compiled);
    }
    if (node.innerScope !== undefined) compileScope(context, node.innerScope, scopes, allNodes);
  }
  // Setting an existing key keeps its position, so the nodes stay in document order.
  for (const task of completeApprovals(context, scopeNodes, findScopeEntries(draft))) allNodes.set(task.id, task);
}

function defineScope(draft: ScopeDraft): ScopeDefinition {
  const findIds = (predicate: (node: NodeDraft) => boolean): readonly string[] =>
    [...draft.nodes.values()].filter(predicate).map((node) => node.id);
  return {
    id: draft.id,
    parentId: draft.parent?.id ?? null,
    noneStartEvents: findIds(isNoneStart),
    triggeredStartEvents: findIds(isTriggeredStart),
    eventSubProcesses: findIds(isEventSubProcess),
  };
}

function groupBy(
  flows: readonly SequenceFlow[],
  getKey: (flow: SequenceFlow) => string,
): ReadonlyMap<string, SequenceFlow[]> {
  const groups = new Map<string, SequenceFlow[]>();
  for (const flow of flows) {
    const group = groups.get(getKey(flow));
    if (group === undefined) groups.set(getKey(flow), [flow]);
    else group.push(flow);
  }
  return groups;
}
