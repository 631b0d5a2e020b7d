import type { FlowNode, WorkflowGraph } from '@countersign/model';

/** The elements that a token can reach in one step, by element id. The process's own id is where a run starts. */
export type ElementPaths = ReadonlyMap<string, readonly string[]>;

/**
 * Returns the paths through a whole process: into and out of sub-processes, over boundary events, links, event
 * sub-processes and compensation handlers. They include at least all paths that a run could take.
 */
export function buildPaths(graph: WorkflowGraph): ElementPaths {
  const entries = entriesByScope(graph);
  const leaving = new Map<string, readonly string[]>();
  const ways = new Map<string, readonly string[]>([[graph.workflowId, entries.get(graph.workflowId) ?? []]]);
  for (const node of graph.nodes.values()) {
    const inside = entries.get(node.id) ?? [];
    // Elements after a scope are reached through the elements in it.
    const flows = inside.length > 0 ? [] : onwards(graph, node, leaving);
    const handler = node.compensationHandler === null ? [] : [node.compensationHandler];
    const link = node.kind === 'linkThrow' ? [node.targetId] : [];
    ways.set(node.id, [...inside, ...flows, ...node.boundaryEvents, ...handler, ...link]);
  }
  return ways;
}

/** Returns the same paths reversed. */
export function backwards(ways: ElementPaths): ElementPaths {
  const back = new Map<string, string[]>([...ways.keys()].map((id) => [id, []]));
  for (const [from, tos] of ways) for (const to of tos) back.get(to)?.push(from);
  return back;
}

/**
 * Returns all elements that can be reached from some elements, themselves included, without passing the `without`
 * element.
 */
export function reachableFrom(ways: ElementPaths, from: Iterable<string>, without?: string): ReadonlySet<string> {
  const seen = new Set<string>();
  const open = [...from];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === without || seen.has(next)) continue;
    seen.add(next);
    open.push(...(ways.get(next) ?? []));
  }
  return seen;
}

/**
 * Returns the elements that every path from one element to another passes, in order and without the two. All of them
 * are on any single path, so the search follows one path and notes what the other paths can skip.
 */
export function commonPathElements(ways: ElementPaths, from: string, to: string): string[] {
  const path = anyWay(ways, from, to);
  const places = new Map(path.map((id, place) => [id, place]));
  const seen = new Set<string>();
  const found: string[] = [];
  let farthest = 0;
  for (const [place, id] of path.entries()) {
    if (place > 0 && id !== to && farthest === place) found.push(id);
    const open = [...(ways.get(id) ?? [])];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const met = places.get(next);
      if (met !== undefined) farthest = Math.max(farthest, met);
      else if (!seen.has(next)) {
        seen.add(next);
        open.push(...(ways.get(next) ?? []));
      }
    }
  }
  return found;
}

/** Returns one path, both ends included, or an empty list. */
function anyWay(ways: ElementPaths, from: string, to: string): string[] {
  const cameFrom = new Map<string, string | null>([[from, null]]);
  const open = [from];
  for (let next = open.pop(); next !== undefined && !cameFrom.has(to); next = open.pop()) {
    for (const each of ways.get(next) ?? []) {
      if (cameFrom.has(each)) continue;
      cameFrom.set(each, next);
      open.push(each);
    }
  }
  const path: string[] = [];
  if (!cameFrom.has(to)) return path;
  for (let id: string | null = to; id !== null; id = cameFrom.get(id) ?? null) path.push(id);
  return path.reverse();
}

/** Returns the elements of each scope that start on their own or by an event, because no flow leads to them. */
function entriesByScope(graph: WorkflowGraph): Map<string, string[]> {
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
function onwards(graph: WorkflowGraph, node: FlowNode, leaving: Map<string, readonly string[]>): readonly string[] {
  if (node.outgoing.length > 0) return node.outgoing.map((flow) => flow.targetId);
  const passed: string[] = [];
  let found: readonly string[] = [];
  for (let scope = graph.nodes.get(node.scopeId); scope !== undefined; scope = graph.nodes.get(scope.scopeId)) {
    const known = leaving.get(scope.id);
    passed.push(scope.id);
    found = known ?? scope.outgoing.map((flow) => flow.targetId);
    if (known !== undefined || found.length > 0) break;
  }
  for (const id of passed) leaving.set(id, found);
  return found;
}
