import type { FlowNode, UserTask, WorkflowGraph } from './workflow-graph.js';

/**
 * Maximum product of the numbers of splits and nodes in a scope for which paths are computed. In larger scopes, all
 * nodes are considered parallel.
 */
const MAX_SPLITS_TIMES_NODES = 100_000;

const scopePathsCache = new WeakMap<WorkflowGraph, Map<string, ScopePaths>>();

/**
 * Returns whether two user tasks may be pending at the same time because a token was split before them (BPMN 2.0,
 * 13.2): they are on different branches after the split, and neither leads to the other without passing the split
 * again. Exclusive branches are not parallel. Results are cached per scope for the lifetime of the graph. Checking one
 * task against all others in sequence is fastest.
 */
export function areParallel(graph: WorkflowGraph, task: UserTask, other: UserTask): boolean {
  if (task.id === other.id) return false;
  if (task.scopeId === other.scopeId) return getScopePaths(graph, task.scopeId).areParallel(task.id, other.id);
  const [one, two] = liftToCommonScope(graph, task, other);
  // One node contains the other, for example a scope its event sub-process.
  if (one === undefined || two === undefined || one.id === two.id) return false;
  const eventSubProcesses = [one, two].filter((node) => node.kind === 'eventSubProcess');
  if (eventSubProcesses.length > 0) return eventSubProcesses.every((node) => isNonInterrupting(graph, node));
  return getScopePaths(graph, one.scopeId).areParallel(one.id, two.id);
}

/** Returns the nodes of the innermost common scope that are, or contain, the two nodes. */
function liftToCommonScope(graph: WorkflowGraph, one: FlowNode, two: FlowNode): (FlowNode | undefined)[] {
  const listEnclosingNodes = (node: FlowNode): readonly FlowNode[] => {
    const chain: FlowNode[] = [];
    for (let current: FlowNode | undefined = node; current !== undefined; current = graph.nodes.get(current.scopeId))
      chain.push(current);
    return chain;
  };
  const enclosingTwoByScope = new Map(listEnclosingNodes(two).map((node) => [node.scopeId, node]));
  const enclosingOne = listEnclosingNodes(one).find((node) => enclosingTwoByScope.has(node.scopeId));
  return [enclosingOne, enclosingOne === undefined ? undefined : enclosingTwoByScope.get(enclosingOne.scopeId)];
}

/** Returns whether an event sub-process leaves everything else in its scope running. */
function isNonInterrupting({ nodes }: WorkflowGraph, node: FlowNode): boolean {
  const start = node.kind === 'eventSubProcess' ? nodes.get(node.startEvent) : undefined;
  return start?.kind === 'startEvent' && !start.interrupting;
}

function getScopePaths(graph: WorkflowGraph, scopeId: string): ScopePaths {
  const pathsByScope = scopePathsCache.get(graph) ?? new Map<string, ScopePaths>();
  scopePathsCache.set(graph, pathsByScope);
  const paths = pathsByScope.get(scopeId) ?? new ScopePaths(graph, scopeId);
  pathsByScope.set(scopeId, paths);
  return paths;
}

/** A point where one token becomes several. */
interface Split {
  /** Id of the node that paths of the branches must not pass again; `null` if there is none. */
  readonly blocked: string | null;
  /** Ids of the nodes at which each branch starts. */
  readonly branches: readonly (readonly string[])[];
}

interface Reachability {
  readonly after: ReadonlySet<string>;
  readonly before: ReadonlySet<string>;
}

type Edges = ReadonlyMap<string, readonly string[]>;

/** Marks a node that several branches lead to, instead of the number of its only branch. */
const SEVERAL_BRANCHES = -1;

class ScopePaths {
  readonly #next: Edges;
  readonly #previous: Edges;
  readonly #splits: readonly Split[];
  readonly #isTooLarge: boolean;
  /** By index of the split: the branches that lead to each node. */
  readonly #branches = new Map<number, ReadonlyMap<string, number>>();
  /** The last queried node, with the nodes after and before it by index of the split. */
  #lastQuery: { readonly id: string; readonly reachabilityBySplit: Map<number, Reachability> } = {
    id: '',
    reachabilityBySplit: new Map(),
  };

  constructor({ nodes }: WorkflowGraph, scopeId: string) {
    const scopeNodes = [...nodes.values()].filter((node) => node.scopeId === scopeId);
    const edges = scopeNodes.flatMap((node) => findTargets(node).map((target): [string, string] => [node.id, target]));
    this.#next = groupEdges(edges);
    this.#previous = groupEdges(edges.map(([from, to]) => [to, from]));
    this.#splits = findSplits(scopeNodes, nodes.get(scopeId));
    this.#isTooLarge = this.#splits.length * scopeNodes.length > MAX_SPLITS_TIMES_NODES;
  }

  areParallel(one: string, two: string): boolean {
    if (this.#isTooLarge) return true;
    return this.#splits.some((_, splitIndex) => {
      const branches = this.#getReachedBranches(splitIndex);
      const [branchToOne, branchToTwo] = [branches.get(one), branches.get(two)];
      if (
        branchToOne === undefined ||
        branchToTwo === undefined ||
        (branchToOne === branchToTwo && branchToOne !== SEVERAL_BRANCHES)
      )
        return false;
      const { after, before } = this.#getReachability(one, splitIndex);
      return !after.has(two) && !before.has(two);
    });
  }

  #getReachability(id: string, splitIndex: number): Reachability {
    if (this.#lastQuery.id !== id) this.#lastQuery = { id, reachabilityBySplit: new Map() };
    const { reachabilityBySplit: cachedReachability } = this.#lastQuery;
    const blocked = this.#splits[splitIndex]?.blocked ?? null;
    const targets = cachedReachability.get(splitIndex) ?? {
      after: findReachable(this.#next, id, blocked),
      before: findReachable(this.#previous, id, blocked),
    };
    cachedReachability.set(splitIndex, targets);
    return targets;
  }

  #getReachedBranches(splitIndex: number): ReadonlyMap<string, number> {
    const known = this.#branches.get(splitIndex);
    const split = this.#splits[splitIndex];
    if (known !== undefined || split === undefined) return known ?? new Map<string, number>();
    const branchByElement = new Map<string, number>();
    const pending = split.branches.flatMap((ids, branch) => ids.map((id) => [id, branch] as const));
    for (let entry = pending.pop(); entry !== undefined; entry = pending.pop()) {
      const [id, branch] = entry;
      const knownBranch = branchByElement.get(id);
      if (id === split.blocked || knownBranch === branch || knownBranch === SEVERAL_BRANCHES) continue;
      const mergedBranch = knownBranch === undefined ? branch : SEVERAL_BRANCHES;
      branchByElement.set(id, mergedBranch);
      for (const next of this.#next.get(id) ?? []) pending.push([next, mergedBranch]);
    }
    this.#branches.set(splitIndex, branchByElement);
    return branchByElement;
  }
}

/** Returns the nodes that are reachable from a node (inclusive) without passing another node. */
function findReachable(edges: Edges, id: string, blocked: string | null): ReadonlySet<string> {
  const reached = new Set([id]);
  // Iterating a set includes the elements added during the iteration.
  for (const current of reached) for (const next of edges.get(current) ?? []) if (next !== blocked) reached.add(next);
  return reached;
}

function findTargets(node: FlowNode): readonly string[] {
  const targets = [...node.outgoing.map(({ targetId }) => targetId), ...node.boundaryEvents];
  return node.kind === 'linkThrow' ? [...targets, node.targetId] : targets;
}

function groupEdges(edges: readonly (readonly [string, string])[]): Edges {
  const targetsBySource = new Map<string, string[]>();
  for (const [from, to] of edges) {
    const known = targetsBySource.get(from);
    if (known === undefined) targetsBySource.set(from, [to]);
    else known.push(to);
  }
  return targetsBySource;
}

function findSplits(nodes: readonly FlowNode[], scope: FlowNode | undefined): readonly Split[] {
  const splits: Split[] = [];
  if (scope?.kind === 'adHocSubProcess' && !scope.sequential)
    splits.push({ blocked: null, branches: scope.entries.map((id) => [id]) });
  for (const node of nodes) {
    if (node.outgoing.length > 1 && node.kind !== 'exclusiveGateway' && node.kind !== 'eventGateway')
      splits.push({ blocked: node.id, branches: node.outgoing.map(({ targetId }) => [targetId]) });
    // The host continues while the flow of its non-interrupting boundary event is active.
    if (node.kind === 'boundaryEvent' && !node.interrupting)
      splits.push({ blocked: node.id, branches: [[node.attachedTo], node.outgoing.map(({ targetId }) => targetId)] });
  }
  return splits;
}
