import type { FlowNode, UserTask, WorkflowGraph } from './workflow-graph.js';

/** Steps of the search for one task; beyond, all other user tasks count as parallel to it. */
const MAX_STEPS = 2_000_000;

const known = new WeakMap<WorkflowGraph, Map<string, readonly UserTask[]>>();

/**
 * The user tasks that may be pending at the same time as another one, because a token was split before them (BPMN 2.0, 13.2):
 * each is on another branch behind the split, and neither leads to the other without passing the split again. Exclusive
 * branches are not parallel. Computed when it is first asked for, and kept as long as the graph is.
 */
export function parallelTasks(graph: WorkflowGraph, task: UserTask): readonly UserTask[] {
  const found = known.get(graph) ?? new Map<string, readonly UserTask[]>();
  known.set(graph, found);
  const tasks = found.get(task.id) ?? search(graph, task);
  found.set(task.id, tasks);
  return tasks;
}

function search(graph: WorkflowGraph, task: UserTask): readonly UserTask[] {
  const others = [...graph.nodes.values()].filter(
    (node): node is UserTask => node.kind === 'userTask' && node.id !== task.id,
  );
  if (others.length === 0) return others;
  const paths = new Paths(graph);
  return others.filter((other) => {
    const [one, two] = inOneScope(graph, task, other);
    // One contains the other, as an event sub-process is in its scope.
    if (one === undefined || two === undefined || one.id === two.id) return false;
    const aside = [one, two].filter((node) => node.kind === 'eventSubProcess');
    if (aside.length > 0) return aside.every((node) => runsBeside(graph, node));
    return paths.steps > MAX_STEPS || splitsOf(graph, one.scopeId).some((split) => paths.areParallel(split, one, two));
  });
}

/** Whether an event sub-process leaves everything else in its scope running. */
function runsBeside({ nodes }: WorkflowGraph, node: FlowNode): boolean {
  const start = node.kind === 'eventSubProcess' ? nodes.get(node.startEvent) : undefined;
  return start?.kind === 'startEvent' && !start.interrupting;
}

/** The nodes of the innermost common scope that are, or contain, two nodes. */
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

/** Where one token becomes several. */
interface Split {
  /** Paths of its branches do not pass it again. */
  readonly blocked: string | null;
  /** Ids of the nodes at which each branch begins. */
  readonly branches: readonly (readonly string[])[];
}

function splitsOf(graph: WorkflowGraph, scopeId: string): readonly Split[] {
  const splits: Split[] = [];
  const scope = graph.nodes.get(scopeId);
  if (scope?.kind === 'adHocSubProcess' && !scope.sequential)
    splits.push({ blocked: null, branches: scope.entries.map((id) => [id]) });
  for (const node of graph.nodes.values()) {
    if (node.scopeId !== scopeId) continue;
    if (node.outgoing.length > 1 && node.kind !== 'exclusiveGateway' && node.kind !== 'eventGateway')
      splits.push({ blocked: node.id, branches: node.outgoing.map(({ targetId }) => [targetId]) });
    // The host goes on while what an event at its border began is under way.
    if (node.kind === 'boundaryEvent' && !node.interrupting)
      splits.push({ blocked: node.id, branches: [[node.attachedTo], node.outgoing.map(({ targetId }) => targetId)] });
  }
  return splits;
}

class Paths {
  /** Nodes that were looked at so far. */
  steps = 0;
  readonly #reached = new Map<string, ReadonlySet<string>>();

  constructor(private readonly graph: WorkflowGraph) {}

  areParallel({ blocked, branches }: Split, one: FlowNode, two: FlowNode): boolean {
    const leading = (node: FlowNode): readonly number[] =>
      branches.flatMap((from, index) => (this.#from(from, blocked).has(node.id) ? [index] : []));
    const [toOne, toTwo] = [leading(one), leading(two)];
    const onOthers = toOne.some((index) => toTwo.some((other) => other !== index));
    return onOthers && !this.#from([one.id], blocked).has(two.id) && !this.#from([two.id], blocked).has(one.id);
  }

  /** What is reached from some nodes, these included, without passing one. */
  #from(ids: readonly string[], blocked: string | null): ReadonlySet<string> {
    const key = JSON.stringify([blocked, ids]);
    const before = this.#reached.get(key);
    if (before !== undefined) return before;
    const reached = new Set(ids.filter((id) => id !== blocked));
    // A set gives what is added to it while it is walked.
    for (const id of reached) {
      this.steps += 1;
      for (const next of this.#behind(id)) if (next !== blocked) reached.add(next);
    }
    this.#reached.set(key, reached);
    return reached;
  }

  #behind(id: string): readonly string[] {
    const node = this.graph.nodes.get(id);
    if (node === undefined) return [];
    const next = [...node.outgoing.map(({ targetId }) => targetId), ...node.boundaryEvents];
    return node.kind === 'linkThrow' ? [...next, node.targetId] : next;
  }
}
