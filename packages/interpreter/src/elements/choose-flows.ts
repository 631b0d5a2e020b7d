import type { ElementInstance, EvaluationScope, FlowNode, NodeKind, SequenceFlow } from '@countersign/model';
import type { Execution } from '../execution.js';
import { StepFailure } from '../incidents.js';
import { scopeOf } from '../variables.js';

/** Returns the flows on which tokens leave a node (BPMN 2.0, 13.3.1 activities, 13.4.1 to 13.4.5 gateways). */
export function chooseFlows(execution: Execution, node: FlowNode, instance: ElementInstance): readonly SequenceFlow[] {
  const decides = node.outgoing.some((flow) => flow.condition !== null || flow === node.defaultFlow);
  // A parallel gateway makes no choice: every outgoing flow gets a token (13.4.1).
  if (!decides || CHOICE[node.kind] === 'every') return isReset(node, instance) ? [] : node.outgoing;
  const scope = scopeOf(execution, instance);
  if (CHOICE[node.kind] === 'first true') return [firstTrue(node, scope)];
  return allTrue(node, scope, isReset(node, instance));
}

/** Which flows get a token if some have conditions. */
const CHOICE: Readonly<Record<NodeKind, 'every' | 'first true' | 'all true'>> = {
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
function firstTrue(node: FlowNode, scope: EvaluationScope): SequenceFlow {
  const chosen = node.outgoing.find(
    (flow) => flow !== node.defaultFlow && flow.condition !== null && isTrue(flow, scope),
  );
  return chosen ?? node.defaultFlow ?? noneSelected(node);
}

/**
 * Returns all flows whose condition is true and those without a condition, or the default flow if no condition is true
 * (13.4.3 and 13.4.5; for activities 10.2.1, "conditional flow").
 *
 * A complex gateway that resets may select no flow. Its flows without a condition got their token at activation, so
 * only true conditions give another.
 */
function allTrue(node: FlowNode, scope: EvaluationScope, resets: boolean): readonly SequenceFlow[] {
  const free = resets ? [] : node.outgoing.filter((flow) => flow.condition === null && flow !== node.defaultFlow);
  const held = node.outgoing.filter(
    (flow) => flow.condition !== null && flow !== node.defaultFlow && isTrue(flow, scope),
  );
  // At a gateway, a flow without a condition counts as true; at an activity, it does not affect the default flow.
  const answered = held.length > 0 || (node.type.endsWith('Gateway') && free.length > 0);
  const chosen = new Set([...free, ...held]);
  if (!answered && node.defaultFlow !== null) chosen.add(node.defaultFlow);
  if (chosen.size === 0 && !resets) noneSelected(node);
  return node.outgoing.filter((flow) => chosen.has(flow));
}

function isReset(node: FlowNode, instance: ElementInstance): boolean {
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

function noneSelected(node: FlowNode): never {
  const what = node.type.endsWith('Gateway') ? 'gateway' : node.type;
  throw new StepFailure(
    'no_flow_selected',
    `No condition of ${what} "${node.id}" is true, and it has no default flow. ` +
      'Correct the variables and recover the run.',
  );
}
