import type { FlowNode, WorkflowGraph } from '@countersign/model';

/**
 * A set of nodes. Each node is one bit, at its position in the document: a graph may have thousands of nodes, and one
 * set for each flow that enters a joining gateway.
 */
export interface NodeSet {
  has(nodeId: string): boolean;
}

interface PredecessorIndex {
  /** The position of each node in the document. */
  readonly positions: ReadonlyMap<string, number>;
  /** The positions of the direct predecessors of each node, indexed by the position of the node. */
  readonly predecessors: readonly (readonly number[])[];
  readonly upstreamByGateway: Map<string, readonly NodeSet[]>;
}

const indexCache = new WeakMap<WorkflowGraph, PredecessorIndex>();

/**
 * Returns, for each incoming flow of a gateway, the nodes from which a path leads to the flow without visiting the
 * gateway (BPMN 2.0, 13.4.3). Computed on first use and cached with the graph.
 */
export function findUpstreamNodes(graph: WorkflowGraph, gateway: FlowNode): readonly NodeSet[] {
  const index = getPredecessorIndex(graph);
  const cachedNodes = index.upstreamByGateway.get(gateway.id);
  if (cachedNodes !== undefined) return cachedNodes;
  const found = gateway.incoming.map((flow) => searchBackwards(index, flow.sourceId, gateway.id));
  index.upstreamByGateway.set(gateway.id, found);
  return found;
}

/** Returns the position of a node in the document. */
export function getDocumentPosition(graph: WorkflowGraph, nodeId: string): number {
  return getPredecessorIndex(graph).positions.get(nodeId) ?? -1;
}

function getPredecessorIndex(graph: WorkflowGraph): PredecessorIndex {
  const cachedIndex = indexCache.get(graph);
  if (cachedIndex !== undefined) return cachedIndex;
  const positions = new Map([...graph.nodes.keys()].map((id, position) => [id, position]));
  const predecessors: number[][] = [...graph.nodes].map(() => []);
  const connect = (from: string, to: string): void => {
    const [source, target] = [positions.get(from), positions.get(to)];
    if (source !== undefined && target !== undefined) predecessors[target]?.push(source);
  };
  for (const node of graph.nodes.values()) {
    for (const flow of node.outgoing) connect(node.id, flow.targetId);
    // While an activity is active, the token may still leave it through a boundary event.
    if (node.kind === 'boundaryEvent') connect(node.attachedTo, node.id);
    if (node.kind === 'linkThrow') connect(node.id, node.targetId);
  }
  const index = { positions, predecessors, upstreamByGateway: new Map<string, readonly NodeSet[]>() };
  indexCache.set(graph, index);
  return index;
}

function searchBackwards({ positions, predecessors }: PredecessorIndex, fromId: string, gatewayId: string): NodeSet {
  const visited = new Uint32Array(Math.ceil(predecessors.length / 32));
  const start = positions.get(fromId);
  const pending = start === undefined || fromId === gatewayId ? [] : [start];
  if (start !== undefined && pending.length > 0) mark(visited, start);
  const gateway = positions.get(gatewayId);
  for (let position = pending.pop(); position !== undefined; position = pending.pop()) {
    for (const predecessor of predecessors[position] ?? []) {
      if (predecessor === gateway || isMarked(visited, predecessor)) continue;
      mark(visited, predecessor);
      pending.push(predecessor);
    }
  }
  return {
    has(nodeId) {
      const position = positions.get(nodeId);
      return position !== undefined && isMarked(visited, position);
    },
  };
}

function isMarked(set: Uint32Array, position: number): boolean {
  return (((set[position >>> 5] ?? 0) >>> (position & 31)) & 1) === 1;
}

function mark(set: Uint32Array, position: number): void {
  set[position >>> 5] = (set[position >>> 5] ?? 0) | (1 << (position & 31));
}
