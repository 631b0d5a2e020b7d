import { compileExpression } from '@countersign/feel';
import type { Expression, FlowNode, Mapping, NodeBase, SequenceFlow, Value, WorkflowGraph } from '@countersign/model';

/** A node as a spec writes it. Omitted members are empty, and an omitted type is derived from the kind. */
export type NodeSketch = { readonly id: string; readonly kind: FlowNode['kind'] } & Readonly<Record<string, unknown>>;

const TYPES: Partial<Record<FlowNode['kind'], string>> = {
  catch: 'intermediateCatchEvent',
  throw: 'intermediateThrowEvent',
  linkThrow: 'intermediateThrowEvent',
  jobTask: 'serviceTask',
  passTask: 'manualTask',
  eventGateway: 'eventBasedGateway',
};

export const feel = (source: string): Expression => compileExpression(source) as Expression;
export const value = (source: string): Value => ({ expression: feel(source) });
export const mapping = (source: string, target: string): Mapping => ({
  source: value(source),
  target: target.split('.'),
});

/** A service task whose job type is its id. */
export const jobNode = (id: string, more: object = {}): NodeSketch => ({
  id,
  kind: 'jobTask',
  jobType: { literal: id },
  retries: { literal: '1' },
  headers: {},
  ...more,
});

/** Service tasks with the given ids. */
export const jobNodes = (...ids: readonly string[]): NodeSketch[] => ids.map((id) => jobNode(id));

/**
 * A graph written by hand, to test the interpreter independently of the compiler. Flows are written as
 * `a > b`, `a > b: condition`, or `a > b: default`. Nodes whose `scopeId` is another node are in that sub-process.
 */
export function handGraph(sketches: readonly NodeSketch[], arrows: readonly string[]): WorkflowGraph {
  const flows = arrows.map(readArrow);
  const outgoingBySource = groupBy(flows, ({ flow }) => flow.sourceId);
  const incomingByTarget = groupBy(flows, ({ flow }) => flow.targetId);
  const attached = groupBy(sketches, (each) => each['attachedTo']);
  const nodes = new Map<string, FlowNode>();
  for (const sketch of sketches) {
    const outgoing = outgoingBySource.get(sketch.id) ?? [];
    const base: NodeBase = {
      id: sketch.id,
      name: null,
      type: TYPES[sketch.kind] ?? sketch.kind,
      scopeId: 'p',
      documentation: null,
      incoming: (incomingByTarget.get(sketch.id) ?? []).map(({ flow }) => flow),
      outgoing: outgoing.map(({ flow }) => flow),
      defaultFlow: outgoing.find(({ isDefault }) => isDefault)?.flow ?? null,
      inputs: [],
      outputs: [],
      properties: {},
      dynamicProperties: {},
      boundaryEvents: (attached.get(sketch.id) ?? []).map(({ id }) => id),
      loop: null,
      compensationHandler: null,
      isForCompensation: false,
    };
    nodes.set(sketch.id, {
      ...base,
      throws: [],
      triggers: [],
      parallelMultiple: false,
      ...sketch,
    } as unknown as FlowNode);
  }
  const parents = new Map([...nodes.values()].map((node) => [node.id, node.scopeId]));
  const scopeIds = new Set(['p', ...parents.values()]);
  const scopes = [...scopeIds].map((id) => {
    const starts = [...nodes.values()].filter((node) => node.scopeId === id && node.kind === 'startEvent');
    return {
      id,
      parentId: parents.get(id) ?? null,
      noneStartEvents: starts.map((node) => node.id),
      triggeredStartEvents: [],
      eventSubProcesses: [],
    };
  });
  return {
    workflowId: 'p',
    name: null,
    description: null,
    inputSchema: null,
    nodes,
    scopes: new Map(scopes.map((scope) => [scope.id, scope])),
    resultVariables: new Set(),
  };
}

function readArrow(arrow: string): { flow: SequenceFlow; isDefault: boolean } {
  const [path = '', condition] = arrow.split(': ');
  const [sourceId = '', targetId = ''] = path.split(' > ');
  const isDefault = condition === 'default';
  const hasCondition = condition !== undefined && !isDefault;
  const flow = { id: `${sourceId}_${targetId}`, sourceId, targetId, condition: hasCondition ? feel(condition) : null };
  return { flow, isDefault };
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => unknown): Map<unknown, T[]> {
  const groups = new Map<unknown, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
