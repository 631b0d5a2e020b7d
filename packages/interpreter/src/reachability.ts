import type { FlowNode, WorkflowGraph } from '@countersign/model';

/**
 * A set of nodes as one bit per node, by position in the document, because a graph may have thousands of nodes and
 * joins.
 */
export interface NodeSet {
  has(nodeId: string): boolean;
}

interface Ways {
  /** The position of each node in the document. */
  readonly places: ReadonlyMap<string, number>;
  /** The nodes from which a token reaches a node in one step. */
  readonly before: readonly (readonly number[])[];
  readonly known: Map<string, readonly NodeSet[]>;
}

const WAYS = new WeakMap<WorkflowGraph, Ways>();

/**
 * Returns, for each incoming flow of a gateway, the nodes from which a path leads to the flow without visiting the
 * gateway (BPMN 2.0, 13.4.3). Computed on first use and cached with the graph.
 */
export function nodesUpstream(graph: WorkflowGraph, gateway: FlowNode): readonly NodeSet[] {
  const ways = waysOf(graph);
  const known = ways.known.get(gateway.id);
  if (known !== undefined) return known;
  const found = gateway.incoming.map((flow) => searchBackwards(ways, flow.sourceId, gateway.id));
  ways.known.set(gateway.id, found);
  return found;
}

/** Returns the position of a node in the document. */
export function placeOf(graph: WorkflowGraph, nodeId: string): number {
  return waysOf(graph).places.get(nodeId) ?? -1;
}

function waysOf(graph: WorkflowGraph): Ways {
  const known = WAYS.get(graph);
  if (known !== undefined) return known;
  const places = new Map([...graph.nodes.keys()].map((id, place) => [id, place]));
  const before: number[][] = [...graph.nodes].map(() => []);
  const connect = (from: string, to: string): void => {
    const [source, target] = [places.get(from), places.get(to)];
    if (source !== undefined && target !== undefined) before[target]?.push(source);
  };
  for (const node of graph.nodes.values()) {
    for (const flow of node.outgoing) connect(node.id, flow.targetId);
    // While an activity is active, the token may still leave it by a boundary event.
    if (node.kind === 'boundaryEvent') connect(node.attachedTo, node.id);
    if (node.kind === 'linkThrow') connect(node.id, node.targetId);
  }
  const ways = { places, before, known: new Map<string, readonly NodeSet[]>() };
  WAYS.set(graph, ways);
  return ways;
}

function searchBackwards({ places, before }: Ways, fromId: string, gatewayId: string): NodeSet {
  const seen = new Uint32Array(Math.ceil(before.length / 32));
  const start = places.get(fromId);
  const open = start === undefined || fromId === gatewayId ? [] : [start];
  if (start !== undefined && open.length > 0) mark(seen, start);
  const gateway = places.get(gatewayId);
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    for (const next of before[place] ?? []) {
      if (next === gateway || isMarked(seen, next)) continue;
      mark(seen, next);
      open.push(next);
    }
  }
  return {
    has(nodeId) {
      const place = places.get(nodeId);
      return place !== undefined && isMarked(seen, place);
    },
  };
}

function isMarked(set: Uint32Array, place: number): boolean {
  return (((set[place >>> 5] ?? 0) >>> (place & 31)) & 1) === 1;
}

function mark(set: Uint32Array, place: number): void {
  set[place >>> 5] = (set[place >>> 5] ?? 0) | (1 << (place & 31));
}
