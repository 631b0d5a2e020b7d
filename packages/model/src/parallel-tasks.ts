import type { FlowNode, UserTask, WorkflowGraph } from './workflow-graph.js';

/**
 * Maximum number of splits times nodes of a scope for which paths are computed. In larger scopes, all nodes count as
 * parallel.
 */
const MAX_WORK = 100_000;

const scopesOf = new WeakMap<WorkflowGraph, Map<string, ScopePaths>>();

/**
 * Returns whether two user tasks may be pending at the same time because a token was split before them (BPMN 2.0,
 * 13.2): they are on different branches after the split, and neither leads to the other without passing the split
 * again. Exclusive branches are not parallel. Results are cached per scope for the lifetime of the graph. Checking one
 * task against all others in sequence is fastest.
 */
export function areParallel(graph: WorkflowGraph, task: UserTask, other: UserTask): boolean {
  if (task.id === other.id) return false;
  if (task.scopeId === other.scopeId) return pathsOf(graph, task.scopeId).areParallel(task.id, other.id);
  const [one, two] = inOneScope(graph, task, other);
  // One node contains the other, as a scope contains its event sub-process.
  if (one === undefined || two === undefined || one.id === two.id) return false;
  const aside = [one, two].filter((node) => node.kind === 'eventSubProcess');
  if (aside.length > 0) return aside.every((node) => runsBeside(graph, node));
  return pathsOf(graph, one.scopeId).areParallel(one.id, two.id);
}

/** Returns the nodes of the innermost common scope that are, or contain, the two nodes. */
function inOneScope(graph: WorkflowGraph, one: FlowNode, two: FlowNode): (FlowNode | undefined)[] {
  const around = (node: FlowNode): readonly FlowNode[] => {
    const chain: FlowNode[] = [];
    for (let at: FlowNode | undefined = node; at !== undefined; at = graph.nodes.get(at.scopeId)) chain.push(at);
    return chain;
  };
  const ofTwo = new Map(around(two).map((node) => [node.scopeId, node]));
  const inner = around(one).find((node) => ofTwo.has(node.scopeId));
  return [inner, inner === undefined ? undefined : ofTwo.get(inner.scopeId)];
}

/** Returns whether an event sub-process leaves everything else in its scope running. */
function runsBeside({ nodes }: WorkflowGraph, node: FlowNode): boolean {
  const start = node.kind === 'eventSubProcess' ? nodes.get(node.startEvent) : undefined;
  return start?.kind === 'startEvent' && !start.interrupting;
}

function pathsOf(graph: WorkflowGraph, scopeId: string): ScopePaths {
  const known = scopesOf.get(graph) ?? new Map<string, ScopePaths>();
  scopesOf.set(graph, known);
  const paths = known.get(scopeId) ?? new ScopePaths(graph, scopeId);
  known.set(scopeId, paths);
  return paths;
}

/** A point where one token becomes several. */
interface Split {
  /** A node that paths of its branches do not pass again. */
  readonly blocked: string | null;
  /** Ids of the nodes at which each branch starts. */
  readonly branches: readonly (readonly string[])[];
}

interface Around {
  readonly behind: ReadonlySet<string>;
  readonly before: ReadonlySet<string>;
}

type Edges = ReadonlyMap<string, readonly string[]>;

/** Marks a node that several branches lead to, instead of the number of its only branch. */
const SEVERAL = -1;

class ScopePaths {
  readonly #next: Edges;
  readonly #before: Edges;
  readonly #splits: readonly Split[];
  readonly #isTooLarge: boolean;
  /** By index of the split: the branches that lead to each node. */
  readonly #branches = new Map<number, ReadonlyMap<string, number>>();
  /** The node of the last query: the nodes after and before it, by index of the split. */
  #last: { readonly id: string; readonly around: Map<number, Around> } = { id: '', around: new Map() };

  constructor({ nodes }: WorkflowGraph, scopeId: string) {
    const own = [...nodes.values()].filter((node) => node.scopeId === scopeId);
    const edges = own.flatMap((node) => targetsOf(node).map((target): [string, string] => [node.id, target]));
    this.#next = edgesBy(edges);
    this.#before = edgesBy(edges.map(([from, to]) => [to, from]));
    this.#splits = splitsOf(own, nodes.get(scopeId));
    this.#isTooLarge = this.#splits.length * own.length > MAX_WORK;
  }

  areParallel(one: string, two: string): boolean {
    if (this.#isTooLarge) return true;
    return this.#splits.some((_, place) => {
      const branches = this.#branchesOf(place);
      const [toOne, toTwo] = [branches.get(one), branches.get(two)];
      if (toOne === undefined || toTwo === undefined || (toOne === toTwo && toOne !== SEVERAL)) return false;
      const { behind, before } = this.#around(one, place);
      return !behind.has(two) && !before.has(two);
    });
  }

  #around(id: string, place: number): Around {
    if (this.#last.id !== id) this.#last = { id, around: new Map() };
    const { around } = this.#last;
    const blocked = this.#splits[place]?.blocked ?? null;
    const known = around.get(place) ?? {
      behind: reached(this.#next, id, blocked),
      before: reached(this.#before, id, blocked),
    };
    around.set(place, known);
    return known;
  }

  #branchesOf(place: number): ReadonlyMap<string, number> {
    const known = this.#branches.get(place);
    const split = this.#splits[place];
    if (known !== undefined || split === undefined) return known ?? new Map<string, number>();
    const leading = new Map<string, number>();
    const open = split.branches.flatMap((ids, branch) => ids.map((id) => [id, branch] as const));
    for (let step = open.pop(); step !== undefined; step = open.pop()) {
      const [id, branch] = step;
      const now = leading.get(id);
      if (id === split.blocked || now === branch || now === SEVERAL) continue;
      const all = now === undefined ? branch : SEVERAL;
      leading.set(id, all);
      for (const next of this.#next.get(id) ?? []) open.push([next, all]);
    }
    this.#branches.set(place, leading);
    return leading;
  }
}

/** Returns the nodes that are reachable from a node (inclusive) without passing another node. */
function reached(edges: Edges, id: string, blocked: string | null): ReadonlySet<string> {
  const found = new Set([id]);
  // Iterating a set includes the elements added during the iteration.
  for (const at of found) for (const next of edges.get(at) ?? []) if (next !== blocked) found.add(next);
  return found;
}

function targetsOf(node: FlowNode): readonly string[] {
  const targets = [...node.outgoing.map(({ targetId }) => targetId), ...node.boundaryEvents];
  return node.kind === 'linkThrow' ? [...targets, node.targetId] : targets;
}

function edgesBy(edges: readonly (readonly [string, string])[]): Edges {
  const found = new Map<string, string[]>();
  for (const [from, to] of edges) {
    const known = found.get(from);
    if (known === undefined) found.set(from, [to]);
    else known.push(to);
  }
  return found;
}

function splitsOf(nodes: readonly FlowNode[], scope: FlowNode | undefined): readonly Split[] {
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
