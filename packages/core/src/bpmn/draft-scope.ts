import type { CompileContext } from './compile-context.js';
import { checkProperties } from './element-rules.js';
import { elementOf, elementsOf, idOf, tagOf, textOf, type ModdleElement } from './moddle.js';

/** A flow node as it stands in the model, executable or not: the rules of structure hold for both. */
export interface NodeDraft {
  readonly id: string;
  readonly element: ModdleElement;
  readonly type: string;
  readonly scopeId: string;
  readonly incoming: FlowDraft[];
  readonly outgoing: FlowDraft[];
}

export interface FlowDraft {
  readonly id: string;
  readonly element: ModdleElement;
  readonly sourceId: string;
  readonly targetId: string;
  readonly condition: ModdleElement | undefined;
}

export interface ScopeDraft {
  readonly id: string;
  readonly parentId: string | null;
  readonly nodes: ReadonlyMap<string, NodeDraft>;
  /** In document order. */
  readonly flows: readonly FlowDraft[];
}

/** Flow elements that are not nodes and change nothing without a mapping. */
const HARMLESS: ReadonlySet<string> = new Set(['dataObject', 'dataObjectReference', 'dataStoreReference']);

/** Sorts the flow elements of a process (or, later, a sub-process) into nodes and the flows between them. */
export function draftScope(
  context: CompileContext,
  container: ModdleElement,
  scopeId: string,
  parentId: string | null,
): ScopeDraft {
  const nodes = new Map<string, NodeDraft>();
  const flowElements: ModdleElement[] = [];
  for (const element of elementsOf(container, 'flowElements')) {
    const type = tagOf(element);
    if (HARMLESS.has(type)) continue;
    const id = idOf(element);
    if (id === null) {
      const name = textOf(element, 'name');
      const message = `${type}${name === undefined ? '' : ` "${name}"`} has no id, so that nothing can refer to it.`;
      context.problems.add(null, 'missing_id', message);
    } else if (type === 'sequenceFlow') {
      flowElements.push(element);
    } else {
      nodes.set(id, { id, element, type, scopeId, incoming: [], outgoing: [] });
    }
  }
  const flows: FlowDraft[] = [];
  for (const element of flowElements) {
    const flow = draftFlow(context, element, nodes, scopeId);
    if (flow === undefined) continue;
    flows.push(flow);
    nodes.get(flow.sourceId)?.outgoing.push(flow);
    nodes.get(flow.targetId)?.incoming.push(flow);
  }
  for (const node of nodes.values()) checkListed(context, node);
  return { id: scopeId, parentId, nodes, flows };
}

function draftFlow(
  context: CompileContext,
  element: ModdleElement,
  nodes: ReadonlyMap<string, NodeDraft>,
  scopeId: string,
): FlowDraft | undefined {
  const id = idOf(element) ?? '';
  checkProperties(context, element, id, ['sourceRef', 'targetRef', 'conditionExpression', 'isImmediate']);
  const ends = { sourceRef: '', targetRef: '' };
  for (const end of ['sourceRef', 'targetRef'] as const) {
    const node = elementOf(element, end);
    const nodeId = node === undefined ? null : idOf(node);
    if (nodeId === null) {
      context.problems.add(id, 'dangling_flow', `The sequence flow has no ${end}.`);
    } else if (!nodes.has(nodeId)) {
      // BPMN 2.0, 8.3.13: a sequence flow does not cross the border of a sub-process or a pool.
      const message = `${end} "${nodeId}" is not a flow node of "${scopeId}", where the sequence flow stands.`;
      context.problems.add(id, 'flow_across_scopes', message);
    } else {
      ends[end] = nodeId;
    }
  }
  if (ends.sourceRef === '' || ends.targetRef === '') return undefined;
  const condition = elementOf(element, 'conditionExpression');
  return { id, element, sourceId: ends.sourceRef, targetId: ends.targetRef, condition };
}

/**
 * `<incoming>` and `<outgoing>` say again what the flows say. They may be left out; where they say something else, two
 * engines would execute two different models.
 */
function checkListed(context: CompileContext, node: NodeDraft): void {
  for (const direction of ['incoming', 'outgoing'] as const) {
    const flows = new Set(node[direction].map((flow) => flow.id));
    for (const listed of elementsOf(node.element, direction)) {
      const id = idOf(listed);
      if (id !== null && flows.has(id)) continue;
      const message = `${direction} lists "${id ?? '?'}", but that flow does not ${direction === 'incoming' ? 'lead to' : 'leave'} it.`;
      context.problems.add(node.id, 'flow_mismatch', message);
    }
  }
}
