import type { CompileContext } from './compile-context.js';
import type { FlowDraft, NodeDraft, ScopeDraft } from './draft-scope.js';
import { elementOf, elementsOf, flagOf, idOf, tagOf, textOf } from './moddle.js';

const GATEWAYS: ReadonlySet<string> = new Set(['exclusiveGateway', 'inclusiveGateway', 'complexGateway']);

/** Checks the rules of BPMN for how flow nodes of one scope are connected, executable or not. */
export function checkFlows(context: CompileContext, scope: ScopeDraft): void {
  for (const node of scope.nodes.values()) {
    checkEnds(context, node);
    checkDefault(context, node);
  }
  for (const flow of scope.flows) {
    const source = scope.nodes.get(flow.sourceId);
    if (source !== undefined) checkCondition(context, flow, source);
  }
  checkStart(context, scope);
}

/** BPMN 2.0, 10.5.2 to 10.5.4: start and boundary events have no incoming flow, end events no outgoing one. */
function checkEnds(context: CompileContext, node: NodeDraft): void {
  const { problems } = context;
  const begins = node.type === 'startEvent' || node.type === 'boundaryEvent';
  const mustLeave = node.type === 'startEvent' || node.type.startsWith('intermediate');
  if (isLink(node)) return;
  if (begins && node.incoming.length > 0) {
    problems.add(node.id, 'unexpected_incoming', `A ${node.type} has no incoming sequence flows.`);
  }
  if (node.type === 'endEvent' && node.outgoing.length > 0) {
    problems.add(node.id, 'unexpected_outgoing', 'An endEvent has no outgoing sequence flows.');
  }
  if (mustLeave && node.outgoing.length === 0) {
    problems.add(node.id, 'missing_outgoing', `This ${node.type} needs an outgoing sequence flow.`);
  }
  if (begins || node.incoming.length > 0 || mayBeUnconnected(node)) return;
  // BPMN 2.0, 10.2.1 would start it with the process; Zeebe never reaches it. One model, one meaning.
  const message = `No sequence flow leads to this ${node.type}, so that it would never be reached. Connect it or remove it.`;
  problems.add(node.id, 'missing_incoming', message);
}

/** Event sub-processes and compensation handlers are reached by other ways than flows. They are refused elsewhere. */
function mayBeUnconnected(node: NodeDraft): boolean {
  return flagOf(node.element, 'triggeredByEvent') === true || flagOf(node.element, 'isForCompensation') === true;
}

/** One half of a link has no incoming flow, the other no outgoing one (BPMN 2.0, table 10.98). */
function isLink(node: NodeDraft): boolean {
  return elementsOf(node.element, 'eventDefinitions').some((definition) => tagOf(definition) === 'linkEventDefinition');
}

function checkDefault(context: CompileContext, node: NodeDraft): void {
  const target = elementOf(node.element, 'default');
  if (target === undefined) return;
  const { problems } = context;
  const id = idOf(target) ?? '';
  const flow = node.outgoing.find((candidate) => candidate.id === id);
  if (flow === undefined) {
    problems.add(node.id, 'invalid_default', `Its default flow "${id}" does not leave it.`);
  } else if (!GATEWAYS.has(node.type)) {
    const message = `A default flow out of ${node.type} "${node.id}" is not executed; put an exclusive gateway behind it.`;
    problems.add(flow.id, 'conditional_flow', message);
  } else if (flow.condition !== undefined) {
    problems.add(flow.id, 'invalid_default', `As the default flow of "${node.id}" it must have no condition.`);
  }
}

function checkCondition(context: CompileContext, flow: FlowDraft, source: NodeDraft): void {
  const { problems } = context;
  if (flow.condition === undefined) {
    // Zeebe, SequenceFlowValidator
    if (source.type !== 'exclusiveGateway' || source.outgoing.length < 2 || defaultId(source) === flow.id) return;
    const message = `Of several flows out of exclusive gateway "${source.id}", each needs a condition, or is the default flow.`;
    problems.add(flow.id, 'missing_condition', message);
    return;
  }
  if (source.type === 'parallelGateway' || source.type === 'eventBasedGateway') {
    problems.add(flow.id, 'unexpected_condition', `Flows out of ${source.type} "${source.id}" carry no conditions.`);
  } else if (!GATEWAYS.has(source.type)) {
    const message = `A condition on a flow out of ${source.type} "${source.id}" is not executed; put an exclusive gateway behind it.`;
    problems.add(flow.id, 'conditional_flow', message);
  }
  const language = textOf(flow.condition, 'language');
  if (language !== undefined && !/feel/i.test(language)) {
    problems.add(flow.id, 'foreign_script', `Conditions are FEEL; the language "${language}" is never evaluated.`);
  }
}

function defaultId(node: NodeDraft): string | null {
  const target = elementOf(node.element, 'default');
  return target === undefined ? null : idOf(target);
}

/** Zeebe, ProcessValidator: at most one start event without a trigger. With a trigger: not in this version. */
function checkStart(context: CompileContext, scope: ScopeDraft): void {
  const starts = [...scope.nodes.values()].filter(isNoneStart);
  if (starts.length === 0) {
    context.problems.add(scope.id, 'missing_start_event', 'It needs a start event without a trigger.');
  }
  for (const extra of starts.slice(1)) {
    const message = `A second start event without a trigger (besides "${starts[0]?.id ?? ''}"): there can be one.`;
    context.problems.add(extra.id, 'several_start_events', message);
  }
}

export function isNoneStart(node: NodeDraft): boolean {
  return node.type === 'startEvent' && elementsOf(node.element, 'eventDefinitions').length === 0;
}
