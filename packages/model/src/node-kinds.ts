import type { FlowNode } from './workflow-graph.js';

/**
 * The kind of a node, which selects its behavior in the interpreter. Each BPMN node has one kind; `type` is its BPMN
 * type.
 */
export type NodeKind = FlowNode['kind'];

/**
 * The handling of tokens that arrive on several flows. `each`: each token continues on its own. `all`: the node waits
 * for one token on each flow (BPMN 2.0, 13.4.1). `gather`: the node waits until no more tokens can arrive, or until a
 * condition is true (13.4.3 and 13.4.5).
 */
type MergeMode = 'each' | 'all' | 'gather';

export interface NodeTraits {
  readonly merging: MergeMode;
  /** Whether the node is a scope, which contains tokens and has the id of the node. */
  readonly isScope: boolean;
}

const PLAIN = Object.freeze({ merging: 'each', isScope: false } as const);
const SCOPE = Object.freeze({ merging: 'each', isScope: true } as const);
const GATHERING = Object.freeze({ merging: 'gather', isScope: false } as const);

/** The traits of each kind of node. A new kind does not compile without an entry. */
export const NODE_TRAITS = Object.freeze({
  startEvent: PLAIN,
  endEvent: PLAIN,
  catch: PLAIN,
  boundaryEvent: PLAIN,
  throw: PLAIN,
  linkThrow: PLAIN,
  jobTask: PLAIN,
  userTask: PLAIN,
  scriptTask: PLAIN,
  decisionTask: PLAIN,
  passTask: PLAIN,
  exclusiveGateway: PLAIN,
  parallelGateway: Object.freeze({ merging: 'all', isScope: false } as const),
  inclusiveGateway: GATHERING,
  complexGateway: GATHERING,
  eventGateway: PLAIN,
  subProcess: SCOPE,
  adHocSubProcess: SCOPE,
  eventSubProcess: SCOPE,
  callActivity: PLAIN,
} as const satisfies Readonly<Record<NodeKind, NodeTraits>>);

/** The kinds that gather tokens. */
export type GatheringKind = {
  [K in NodeKind]: (typeof NODE_TRAITS)[K]['merging'] extends 'gather' ? K : never;
}[NodeKind];

export function getNodeTraits({ kind }: Pick<FlowNode, 'kind'>): NodeTraits {
  return NODE_TRAITS[kind];
}
