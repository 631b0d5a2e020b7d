import type { CompileContext } from './compile-context.js';
import type { FlowDraft, NodeDraft, ScopeDraft } from './scope-draft.js';
import { getElement, getId } from './moddle.js';
import {
  isActivity,
  isCompensationBoundary,
  isCompensationHandler,
  isEventSubProcess,
  isInstantiating,
  isLink,
} from './node-kinds.js';

/** Gateways that evaluate the conditions of their outgoing flows. */
const CONDITIONAL_GATEWAYS: ReadonlySet<string> = new Set(['exclusiveGateway', 'inclusiveGateway', 'complexGateway']);

/** Checks BPMN's rules for the connections of flow nodes of one scope, executable or not. */
export function checkFlows(context: CompileContext, scope: ScopeDraft): void {
  for (const node of scope.nodes.values()) {
    checkConnections(context, node);
    checkDefaultFlow(context, node);
  }
  for (const flow of scope.flows) {
    const source = scope.nodes.get(flow.sourceId);
    if (source !== undefined) checkCondition(context, flow, source);
  }
}

/**
 * Checks incoming and outgoing flows. BPMN 2.0, 10.5.2 to 10.5.4: start and boundary events have no incoming flow, end
 * events have no outgoing flow. Event sub-processes (10.3.5) and compensation handlers (10.7) have neither.
 */
function checkConnections(context: CompileContext, node: NodeDraft): void {
  const { problems } = context;
  // compile-links.ts checks that link catch events have no incoming flow, and link throw events no outgoing flow (BPMN
  // 2.0, table 10.98).
  if (isLink(node)) return;
  const isStartOrBoundary = node.type === 'startEvent' || node.type === 'boundaryEvent';
  const isFlowless = isEventSubProcess(node) || isCompensationHandler(node);
  const label = isEventSubProcess(node)
    ? 'An event sub-process'
    : isCompensationHandler(node)
      ? 'An activity for compensation'
      : `A ${node.type}`;
  if ((isStartOrBoundary || isFlowless) && node.incoming.length > 0) {
    problems.add(node.id, 'unexpected_incoming', `${label} cannot have incoming sequence flows.`);
  }
  if (node.type === 'endEvent' && node.outgoing.length > 0) {
    problems.add(node.id, 'unexpected_outgoing', 'An endEvent cannot have outgoing sequence flows.');
  }
  if (isFlowless && node.outgoing.length > 0) {
    problems.add(node.id, 'unexpected_outgoing', `${label} cannot have outgoing sequence flows.`);
  }
  if (isCompensationBoundary(node) && node.outgoing.length > 0) {
    const message =
      'A compensation event cannot have outgoing sequence flows: an association leads to the activity that compensates.';
    problems.add(node.id, 'unexpected_outgoing', message);
  }
  const requiresOutgoing = (isStartOrBoundary && !isCompensationBoundary(node)) || node.type.startsWith('intermediate');
  if (requiresOutgoing && node.outgoing.length === 0) {
    problems.add(node.id, 'missing_outgoing', `This ${node.type} needs an outgoing sequence flow.`);
  }
  const isEntryPoint =
    isStartOrBoundary || isFlowless || node.scope.kind === 'adHocSubProcess' || isInstantiating(node);
  if (isEntryPoint || node.incoming.length > 0) return;
  // By BPMN 2.0, 10.2.1, it starts with the process; in Zeebe, it is never reached. A model must not have two meanings.
  const message = `No sequence flow leads to this ${node.type}, so it would never be reached. Connect it or remove it.`;
  problems.add(node.id, 'missing_incoming', message);
}

function checkDefaultFlow(context: CompileContext, node: NodeDraft): void {
  const target = getElement(node.element, 'default');
  if (target === undefined) return;
  const { problems } = context;
  const id = getId(target) ?? '';
  const flow = node.outgoing.find((candidate) => candidate.id === id);
  if (flow === undefined) {
    problems.add(node.id, 'invalid_default', `The default flow "${id}" does not leave this element.`);
  } else if (flow.condition !== undefined) {
    problems.add(flow.id, 'invalid_default', `The default flow of "${node.id}" cannot have a condition.`);
  }
}

function checkCondition(context: CompileContext, flow: FlowDraft, source: NodeDraft): void {
  const { problems } = context;
  if (flow.condition === undefined) {
    // As in Zeebe, SequenceFlowValidator. Otherwise a flow could be taken because its condition was forgotten.
    if (!CONDITIONAL_GATEWAYS.has(source.type) || source.outgoing.length < 2 || getDefaultFlowId(source) === flow.id)
      return;
    const message = `If several flows leave ${source.type} "${source.id}", each of them needs a condition, except the default flow.`;
    problems.add(flow.id, 'missing_condition', message);
    return;
  }
  if (isActivity(source)) {
    // BPMN 2.0, 8.3.13: "there MUST be at least one additional" outgoing flow; otherwise, the token might be stuck.
    if (source.outgoing.length === 1) {
      const message = `The only flow out of ${source.type} "${source.id}" has a condition; add another flow that is taken if the condition is false.`;
      problems.add(flow.id, 'lone_condition', message);
    }
  } else if (!CONDITIONAL_GATEWAYS.has(source.type)) {
    problems.add(flow.id, 'unexpected_condition', `Flows out of ${source.type} "${source.id}" cannot have conditions.`);
  }
}

function getDefaultFlowId(node: NodeDraft): string | null {
  const target = getElement(node.element, 'default');
  return target === undefined ? null : getId(target);
}
