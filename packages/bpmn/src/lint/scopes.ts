import type { FlowNode, WorkflowGraph } from '@countersign/model';
import { findReachableElements } from './next-elements.js';
import type { LintScope } from './lint-rule.js';
import { analyzeTokens } from './scope-tokens.js';

/** Returns the process of a graph and all sub-processes in it, each as a separate scope. */
export function buildLintScopes(graph: WorkflowGraph): readonly LintScope[] {
  const nodesByScope = new Map<string, Map<string, FlowNode>>([...graph.scopes.keys()].map((id) => [id, new Map()]));
  for (const node of graph.nodes.values()) nodesByScope.get(node.scopeId)?.set(node.id, node);
  const interruptibleIds = findInterruptibleScopes(graph);
  return [...nodesByScope].map(([id, nodes]): LintScope => {
    const scopeNode = graph.nodes.get(id);
    const entries = scopeNode?.kind === 'adHocSubProcess' ? scopeNode.entries : getStartEvents(graph, id, nodes);
    return {
      id,
      nodes,
      entries,
      reachable: findReachableElements(nodes, entries),
      isInterruptible: interruptibleIds.has(id),
      tokens: analyzeTokens(nodes, entries, scopeNode?.kind === 'adHocSubProcess'),
    };
  });
}

function getStartEvents(graph: WorkflowGraph, id: string, nodes: ReadonlyMap<string, FlowNode>): readonly string[] {
  const scope = graph.scopes.get(id);
  return [...(scope?.noneStartEvents ?? []), ...(scope?.triggeredStartEvents ?? [])].filter((start) =>
    nodes.has(start),
  );
}

/**
 * Returns the ids of interruptible scopes. Relies on `graph.scopes` listing parent scopes before their nested scopes.
 */
function findInterruptibleScopes(graph: WorkflowGraph): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { id, parentId, eventSubProcesses } of graph.scopes.values()) {
    const scopeNode = graph.nodes.get(id);
    const boundaryEvents = (scopeNode?.boundaryEvents ?? []).map((event) => graph.nodes.get(event));
    const startEvents = eventSubProcesses.map((handler) => {
      const node = graph.nodes.get(handler);
      return node?.kind === 'eventSubProcess' ? graph.nodes.get(node.startEvent) : undefined;
    });
    const isInterruptible =
      scopeNode?.kind === 'adHocSubProcess' || [...boundaryEvents, ...startEvents].some(canInterruptFromOutside);
    if (isInterruptible || (parentId !== null && found.has(parentId))) found.add(id);
  }
  return found;
}

/**
 * Returns whether a node can interrupt a scope on an event from outside its flow. Errors, compensation and cancellation
 * come from inside the scope, so they cannot end a scope that is stuck.
 */
function canInterruptFromOutside(node: FlowNode | undefined): boolean {
  if (node?.kind !== 'boundaryEvent' && node?.kind !== 'startEvent') return false;
  return (
    node.interrupting &&
    node.triggers.some(({ kind }) => kind !== 'error' && kind !== 'compensation' && kind !== 'cancel')
  );
}
