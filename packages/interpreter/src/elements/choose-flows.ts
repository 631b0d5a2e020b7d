import type { ElementInstance, EvaluationScope, FlowNode, NodeKind, SequenceFlow } from '@countersign/model';
import type { Execution } from '../execution.js';
import { StepFailure } from '../incidents.js';
import { buildEvaluationScope } from '../variables.js';

/** Returns the flows on which tokens leave a node (BPMN 2.0, 13.3.1 activities, 13.4.1 to 13.4.5 gateways). */
export function chooseFlows(execution: Execution, node: FlowNode, instance: ElementInstance): readonly SequenceFlow[] {
  const hasChoice = node.outgoing.some((flow) => flow.condition !== null || flow === node.defaultFlow);
  // A parallel gateway makes no choice: every outgoing flow gets a token (13.4.1).
  if (!hasChoice || CHOICE_BY_KIND[node.kind] === 'every') return isResetting(node, instance) ? [] : node.outgoing;
  const scope = buildEvaluationScope(execution, instance);
  if (CHOICE_BY_KIND[node.kind] === 'first true') return [findFirstTrueFlow(node, scope)];
  return findTrueFlows(node, scope, isResetting(node, instance));
}

/** The outgoing flows that get a token if at least one of them is conditional, by node kind. */
const CHOICE_BY_KIND: Readonly<Record<NodeKind, 'every' | 'first true' | 'all true'>> = {
  startEvent: 'all true',
  endEvent: 'all true',
  catch: 'all true',
  boundaryEvent: 'all true',
  throw: 'all true',
  linkThrow: 'all true',
  jobTask: 'all true',
  userTask: 'all true',
  scriptTask: 'all true',
  decisionTask: 'all true',
  passTask: 'all true',
  exclusiveGateway: 'first true',
  parallelGateway: 'every',
  inclusiveGateway: 'all true',
  complexGateway: 'all true',
  eventGateway: 'all true',
  subProcess: 'all true',
  adHocSubProcess: 'all true',
  eventSubProcess: 'all true',
  callActivity: 'all true',
};

/** Returns the first flow in document order whose condition is true (13.4.2). */
function findFirstTrueFlow(node: FlowNode, scope: EvaluationScope): SequenceFlow {
  const chosen = node.outgoing.find(
    (flow) => flow !== node.defaultFlow && flow.condition !== null && isTrue(flow, scope),
  );
  return chosen ?? node.defaultFlow ?? throwNoFlowSelected(node);
}

/**
 * Returns all flows whose condition is true and those without a condition, or the default flow if no condition is true
 * (13.4.3 and 13.4.5; for activities 10.2.1, "conditional flow").
 *
 * A complex gateway that resets may select no flow. Its flows without a condition already got their token at
 * activation, so during a reset only flows with a true condition get a token.
 */
function findTrueFlows(node: FlowNode, scope: EvaluationScope, isResetting: boolean): readonly SequenceFlow[] {
  const unconditionalFlows = isResetting
    ? []
    : node.outgoing.filter((flow) => flow.condition === null && flow !== node.defaultFlow);
  const trueFlows = node.outgoing.filter(
    (flow) => flow.condition !== null && flow !== node.defaultFlow && isTrue(flow, scope),
  );
  // At a gateway, a flow without a condition counts as true; at an activity, it does not affect the default flow.
  const hasTrueFlow = trueFlows.length > 0 || (node.type.endsWith('Gateway') && unconditionalFlows.length > 0);
  const chosen = new Set([...unconditionalFlows, ...trueFlows]);
  if (!hasTrueFlow && node.defaultFlow !== null) chosen.add(node.defaultFlow);
  if (chosen.size === 0 && !isResetting) throwNoFlowSelected(node);
  return node.outgoing.filter((flow) => chosen.has(flow));
}

function isResetting(node: FlowNode, instance: ElementInstance): boolean {
  return node.kind === 'complexGateway' && instance.variables?.['waitingForStart'] === false;
}

function isTrue(flow: SequenceFlow, scope: EvaluationScope): boolean {
  const value = flow.condition?.evaluate(scope) ?? null;
  if (typeof value === 'boolean') return value;
  throw new StepFailure(
    'condition_not_boolean',
    `The condition of flow "${flow.id}" evaluated to ${JSON.stringify(value)}, not to true or false. ` +
      'Correct the variables that it reads and recover the run.',
  );
}

function throwNoFlowSelected(node: FlowNode): never {
  const nodeLabel = node.type.endsWith('Gateway') ? 'gateway' : node.type;
  throw new StepFailure(
    'no_flow_selected',
    `No condition of ${nodeLabel} "${node.id}" is true, and it has no default flow. ` +
      'Correct the variables and recover the run.',
  );
}
