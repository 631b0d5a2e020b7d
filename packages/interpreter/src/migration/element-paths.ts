import type { FlowNode, WorkflowGraph } from '@countersign/model';

/**
 * The elements that a token can reach directly from each element, by element id. The entry of the process id lists the
 * elements at which a run can start.
 */
export type ElementPaths = ReadonlyMap<string, readonly string[]>;

/**
 * Returns the paths through a whole process: into and out of sub-processes, over boundary events, links, event
 * sub-processes and compensation handlers. They include at least all paths that a run could take.
 */
export function buildPaths(graph: WorkflowGraph): ElementPaths {
  const entries = findEntriesByScope(graph);
  const exitsByScope = new Map<string, readonly string[]>();
  const paths = new Map<string, readonly string[]>([[graph.workflowId, entries.get(graph.workflowId) ?? []]]);
  for (const node of graph.nodes.values()) {
    const inside = entries.get(node.id) ?? [];
    // Elements after a scope are reached through the elements in it.
    const flows = inside.length > 0 ? [] : findNextElements(graph, node, exitsByScope);
    const handler = node.compensationHandler === null ? [] : [node.compensationHandler];
    const link = node.kind === 'linkThrow' ? [node.targetId] : [];
    paths.set(node.id, [...inside, ...flows, ...node.boundaryEvents, ...handler, ...link]);
  }
  return paths;
}

/** Returns the same paths reversed. */
export function reversePaths(paths: ElementPaths): ElementPaths {
  const reversed = new Map<string, string[]>([...paths.keys()].map((id) => [id, []]));
  for (const [from, targets] of paths) for (const to of targets) reversed.get(to)?.push(from);
  return reversed;
}

/**
 * Returns all elements that can be reached from the given elements, including these, without passing `excludedElement`.
 */
export function findReachableElements(
  paths: ElementPaths,
  from: Iterable<string>,
  excludedElement?: string,
): ReadonlySet<string> {
  const visited = new Set<string>();
  const open = [...from];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === excludedElement || visited.has(next)) continue;
    visited.add(next);
    open.push(...(paths.get(next) ?? []));
  }
  return visited;
}

/**
 * Returns the elements that every path from one element to another passes, in order and excluding both ends. All of
 * them are on any single path, so the search follows one path and tracks which of its elements the other paths can
 * skip.
 */
export function findCommonPathElements(paths: ElementPaths, from: string, to: string): string[] {
  const path = findPath(paths, from, to);
  const positions = new Map(path.map((id, position) => [id, position]));
  const visited = new Set<string>();
  const found: string[] = [];
  let farthest = 0;
  for (const [position, id] of path.entries()) {
    if (position > 0 && id !== to && farthest === position) found.push(id);
    const open = [...(paths.get(id) ?? [])];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const metPosition = positions.get(next);
      if (metPosition !== undefined) farthest = Math.max(farthest, metPosition);
      else if (!visited.has(next)) {
        visited.add(next);
        open.push(...(paths.get(next) ?? []));
      }
    }
  }
  return found;
}

/** Returns one path, both ends included, or an empty list. */
function findPath(paths: ElementPaths, from: string, to: string): string[] {
  const predecessors = new Map<string, string | null>([[from, null]]);
  const open = [from];
  for (let next = open.pop(); next !== undefined && !predecessors.has(to); next = open.pop()) {
    for (const each of paths.get(next) ?? []) {
      if (predecessors.has(each)) continue;
      predecessors.set(each, next);
      open.push(each);
    }
  }
  const path: string[] = [];
  if (!predecessors.has(to)) return path;
  for (let id: string | null = to; id !== null; id = predecessors.get(id) ?? null) path.push(id);
  return path.reverse();
}

/** Returns the elements of each scope that no flow leads to: they start with the scope or by an event. */
function findEntriesByScope(graph: WorkflowGraph): Map<string, string[]> {
  const linked = new Set(
    [...graph.nodes.values()].flatMap((node) => (node.kind === 'linkThrow' ? [node.targetId] : [])),
  );
  const entries = new Map<string, string[]>();
  for (const node of graph.nodes.values()) {
    if (node.incoming.length > 0 || node.kind === 'boundaryEvent' || node.isForCompensation || linked.has(node.id))
      continue;
    const found = entries.get(node.scopeId);
    if (found === undefined) entries.set(node.scopeId, [node.id]);
    else found.push(node.id);
  }
  return entries;
}

/** Returns the targets of a node's flows, or else of the flows out of the scope around it. */
function findNextElements(
  graph: WorkflowGraph,
  node: FlowNode,
  exitsByScope: Map<string, readonly string[]>,
): readonly string[] {
  if (node.outgoing.length > 0) return node.outgoing.map((flow) => flow.targetId);
  const passedScopes: string[] = [];
  let found: readonly string[] = [];
  for (let scope = graph.nodes.get(node.scopeId); scope !== undefined; scope = graph.nodes.get(scope.scopeId)) {
    const cachedExits = exitsByScope.get(scope.id);
    passedScopes.push(scope.id);
    found = cachedExits ?? scope.outgoing.map((flow) => flow.targetId);
    if (cachedExits !== undefined || found.length > 0) break;
  }
  for (const id of passedScopes) exitsByScope.set(id, found);
  return found;
}
