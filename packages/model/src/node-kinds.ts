import type { FlowNode } from './workflow-graph.js';

/** Selects what the interpreter does. A node of BPMN belongs to one kind; `type` is what BPMN calls it. */
export type NodeKind = FlowNode['kind'];

/**
 * What tokens do that reach a node by several flows. `each` goes on by itself. `all`: the node waits for one on each flow
 * (BPMN 2.0, 13.4.1). `gather`: it waits until no more can come, or by a condition (13.4.3 and 13.4.5).
 */
type Merging = 'each' | 'all' | 'gather';

export interface NodeTraits {
  readonly merging: Merging;
  /** The node holds tokens of its own: its scope has its id. */
  readonly isScope: boolean;
}

const PLAIN = Object.freeze({ merging: 'each', isScope: false } as const);
const SCOPE = Object.freeze({ merging: 'each', isScope: true } as const);
const GATHERING = Object.freeze({ merging: 'gather', isScope: false } as const);

/** What a node of each kind has in common with others. A new kind does not compile without an entry. */
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

export function traitsOf({ kind }: Pick<FlowNode, 'kind'>): NodeTraits {
  return NODE_TRAITS[kind];
}
