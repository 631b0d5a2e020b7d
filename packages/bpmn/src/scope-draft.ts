import type { FileContext } from './compile-context.js';
import { checkProperties } from './check-properties.js';
import { getNonEmptyElement } from './empty-elements.js';
import { MODEL_LIMITS } from './limits.js';
import { getElement, getElements, getBoolean, getId, getTag, getString, type ModdleElement } from './moddle.js';
import { checkIdLength } from './values.js';

/** A flow node of the model, executable or not: structural rules apply to both. */
export interface NodeDraft {
  readonly id: string;
  readonly element: ModdleElement;
  readonly type: string;
  readonly scopeId: string;
  /** The scope that contains the node. */
  readonly scope: ScopeDraft;
  /** The scope of a sub-process of any kind. */
  readonly innerScope: ScopeDraft | undefined;
  readonly incoming: FlowDraft[];
  readonly outgoing: FlowDraft[];
  /** The boundary events attached to the node, in document order. */
  readonly boundaryEvents: NodeDraft[];
}

export interface FlowDraft {
  readonly id: string;
  readonly element: ModdleElement;
  readonly sourceId: string;
  readonly targetId: string;
  readonly condition: ModdleElement | undefined;
}

export type ScopeKind = 'process' | 'subProcess' | 'eventSubProcess' | 'transaction' | 'adHocSubProcess';

export interface ScopeDraft {
  readonly id: string;
  readonly kind: ScopeKind;
  readonly element: ModdleElement;
  /** The enclosing scope. */
  readonly parent: ScopeDraft | undefined;
  /** In document order. */
  readonly nodes: ReadonlyMap<string, NodeDraft>;
  /** In document order. */
  readonly flows: readonly FlowDraft[];
}

/** Flow elements that are not nodes and have no effect without a mapping. */
const IGNORED_ELEMENTS: ReadonlySet<string> = new Set(['dataObject', 'dataObjectReference', 'dataStoreReference']);

const SUB_PROCESS_TAGS: ReadonlySet<string> = new Set(['subProcess', 'transaction', 'adHocSubProcess']);

/** Sorts the flow elements of a process or a sub-process into nodes and the flows between them, recursively. */
export function buildScopeDraft(
  context: FileContext,
  element: ModdleElement,
  id: string,
  parent?: ScopeDraft,
  depth = 0,
): ScopeDraft {
  const nodes = new Map<string, NodeDraft>();
  const flows: FlowDraft[] = [];
  const scope: ScopeDraft = { id, kind: getScopeKind(element), element, parent, nodes, flows };
  if (depth > MODEL_LIMITS.scopes) {
    const message = `Sub-processes are nested more than ${MODEL_LIMITS.scopes} levels deep.`;
    context.problems.add(id, 'too_deep', message);
    return scope;
  }
  const sequenceFlowElements: ModdleElement[] = [];
  for (const child of getElements(element, 'flowElements')) {
    const type = getTag(child);
    if (IGNORED_ELEMENTS.has(type)) continue;
    const childId = getId(child);
    if (childId === null) {
      const name = getString(child, 'name');
      const message = `${type}${name === undefined ? '' : ` "${name}"`} has no id, so nothing can refer to it.`;
      context.problems.add(null, 'missing_id', message);
      continue;
    }
    checkIdLength(context, childId, type);
    if (type === 'sequenceFlow') {
      sequenceFlowElements.push(child);
    } else {
      const innerScope = SUB_PROCESS_TAGS.has(type)
        ? buildScopeDraft(context, child, childId, scope, depth + 1)
        : undefined;
      nodes.set(childId, {
        id: childId,
        element: child,
        type,
        scopeId: id,
        scope,
        innerScope,
        incoming: [],
        outgoing: [],
        boundaryEvents: [],
      });
    }
  }
  for (const child of sequenceFlowElements) {
    const flow = buildFlowDraft(context, child, nodes, id);
    if (flow === undefined) continue;
    flows.push(flow);
    nodes.get(flow.sourceId)?.outgoing.push(flow);
    nodes.get(flow.targetId)?.incoming.push(flow);
  }
  for (const node of nodes.values()) findHost(node)?.boundaryEvents.push(node);
  checkListedFlows(context, scope);
  return scope;
}

/** Returns the activity that a boundary event is attached to, if it is in the same scope. */
function findHost(node: NodeDraft): NodeDraft | undefined {
  const host = node.type === 'boundaryEvent' ? getElement(node.element, 'attachedToRef') : undefined;
  return host === undefined ? undefined : node.scope.nodes.get(getId(host) ?? '');
}

function getScopeKind(element: ModdleElement): ScopeKind {
  switch (getTag(element)) {
    case 'transaction':
      return 'transaction';
    case 'adHocSubProcess':
      return 'adHocSubProcess';
    case 'subProcess':
      return getBoolean(element, 'triggeredByEvent') === true ? 'eventSubProcess' : 'subProcess';
    default:
      return 'process';
  }
}

/** Returns the event definitions of a node: its own, and the shared ones that it refers to. */
export function getEventDefinitions(node: NodeDraft): readonly ModdleElement[] {
  return [...getElements(node.element, 'eventDefinitions'), ...getElements(node.element, 'eventDefinitionRef')];
}

function buildFlowDraft(
  context: FileContext,
  element: ModdleElement,
  nodes: ReadonlyMap<string, NodeDraft>,
  scopeId: string,
): FlowDraft | undefined {
  const id = getId(element) ?? '';
  checkProperties(context, element, id, ['sourceRef', 'targetRef', 'conditionExpression', 'isImmediate']);
  if (getBoolean(element, 'isImmediate') === false) {
    // BPMN 2.0, table 8.60: false means that other activities, which the model does not show, may happen in between.
    const message =
      'isImmediate="false" is not allowed in an executable process: no activity can take place between the two ends of a sequence flow. Remove the attribute.';
    context.problems.add(id, 'not_for_execution', message);
  }
  const ends = { sourceRef: '', targetRef: '' };
  for (const end of ['sourceRef', 'targetRef'] as const) {
    const node = getElement(element, end);
    const nodeId = node === undefined ? null : getId(node);
    if (nodeId === null) {
      context.problems.add(id, 'dangling_flow', `The sequence flow has no ${end}.`);
    } else if (!nodes.has(nodeId)) {
      // BPMN 2.0, 8.3.13: a sequence flow must not cross the boundary of a sub-process or a pool.
      const message = `${end} "${nodeId}" is not a flow node of "${scopeId}", which contains the sequence flow.`;
      context.problems.add(id, 'flow_across_scopes', message);
    } else {
      ends[end] = nodeId;
    }
  }
  if (ends.sourceRef === '' || ends.targetRef === '') return undefined;
  const condition = getNonEmptyElement(element, 'conditionExpression');
  return { id, element, sourceId: ends.sourceRef, targetId: ends.targetRef, condition };
}

/**
 * Checks that `<incoming>` and `<outgoing>`, which are optional, match the flows. If they differ, or only one end of a
 * flow lists it, an engine that relies on the lists would execute a different model.
 */
function checkListedFlows(context: FileContext, scope: ScopeDraft): void {
  const listedDirections = new Map<string, Set<string>>();
  for (const node of scope.nodes.values()) {
    for (const direction of ['incoming', 'outgoing'] as const) {
      const flows = new Set(node[direction].map((flow) => flow.id));
      for (const flow of getElements(node.element, direction)) {
        const id = getId(flow) ?? '?';
        listedDirections.set(id, (listedDirections.get(id) ?? new Set()).add(direction));
        if (flows.has(id)) continue;
        const message = `${direction} lists "${id}", but that flow does not ${direction === 'incoming' ? 'lead to' : 'leave'} this element.`;
        context.problems.add(node.id, 'flow_mismatch', message);
      }
    }
  }
  for (const flow of scope.flows) {
    const directions = listedDirections.get(flow.id);
    if (directions === undefined || directions.size === 2) continue;
    const [id, direction] = directions.has('incoming') ? [flow.sourceId, 'outgoing'] : [flow.targetId, 'incoming'];
    const message = `${direction} does not list "${flow.id}", but the other end of that flow does. List the flow at both ends or at neither end.`;
    context.problems.add(id, 'flow_mismatch', message);
  }
}
