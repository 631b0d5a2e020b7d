import { compileExpression } from '@countersign/feel';
import type { Expression, FlowNode, Mapping, NodeBase, SequenceFlow, Value, WorkflowGraph } from '@countersign/model';

/** Node of a test graph. Omitted properties are empty, and an omitted type is derived from the kind. */
export type NodeSketch = { readonly id: string; readonly kind: FlowNode['kind'] } & Readonly<Record<string, unknown>>;

const TYPE_BY_KIND: Partial<Record<FlowNode['kind'], string>> = {
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

/** Creates a service task whose job type is its id. */
export const jobNode = (id: string, overrides: object = {}): NodeSketch => ({
  id,
  kind: 'jobTask',
  jobType: { literal: id },
  retries: { literal: '1' },
  headers: {},
  ...overrides,
});

/** Creates service tasks with the given ids. */
export const jobNodes = (...ids: readonly string[]): NodeSketch[] => ids.map((id) => jobNode(id));

/**
 * Builds a graph without the compiler, to test the interpreter independently of it. Flows are written as
 * `a > b`, `a > b: condition`, or `a > b: default`. Nodes whose `scopeId` is another node are in that sub-process.
 */
export function buildTestGraph(sketches: readonly NodeSketch[], arrows: readonly string[]): WorkflowGraph {
  const flows = arrows.map(parseArrow);
  const outgoingBySource = groupBy(flows, ({ flow }) => flow.sourceId);
  const incomingByTarget = groupBy(flows, ({ flow }) => flow.targetId);
  const boundaryEventsByActivity = groupBy(sketches, (each) => each['attachedTo']);
  const nodes = new Map<string, FlowNode>();
  for (const sketch of sketches) {
    const outgoing = outgoingBySource.get(sketch.id) ?? [];
    const base: NodeBase = {
      id: sketch.id,
      name: null,
      type: TYPE_BY_KIND[sketch.kind] ?? sketch.kind,
      scopeId: 'p',
      documentation: null,
      incoming: (incomingByTarget.get(sketch.id) ?? []).map(({ flow }) => flow),
      outgoing: outgoing.map(({ flow }) => flow),
      defaultFlow: outgoing.find(({ isDefault }) => isDefault)?.flow ?? null,
      inputs: [],
      outputs: [],
      properties: {},
      dynamicProperties: {},
      boundaryEvents: (boundaryEventsByActivity.get(sketch.id) ?? []).map(({ id }) => id),
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
  const parentScopeIds = new Map([...nodes.values()].map((node) => [node.id, node.scopeId]));
  const scopeIds = new Set(['p', ...parentScopeIds.values()]);
  const scopes = [...scopeIds].map((id) => {
    const startEvents = [...nodes.values()].filter((node) => node.scopeId === id && node.kind === 'startEvent');
    return {
      id,
      parentId: parentScopeIds.get(id) ?? null,
      noneStartEvents: startEvents.map((node) => node.id),
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

function parseArrow(arrow: string): { flow: SequenceFlow; isDefault: boolean } {
  const [path = '', condition] = arrow.split(': ');
  const [sourceId = '', targetId = ''] = path.split(' > ');
  const isDefault = condition === 'default';
  const hasCondition = condition !== undefined && !isDefault;
  const flow = { id: `${sourceId}_${targetId}`, sourceId, targetId, condition: hasCondition ? feel(condition) : null };
  return { flow, isDefault };
}

function groupBy<T>(items: readonly T[], getKey: (item: T) => unknown): Map<unknown, T[]> {
  const groups = new Map<unknown, T[]>();
  for (const item of items) {
    const group = groups.get(getKey(item));
    if (group === undefined) groups.set(getKey(item), [item]);
    else group.push(item);
  }
  return groups;
}
