import type { CompileContext } from './compile-context.js';
import { getEventDefinitions, type NodeDraft, type ScopeDraft } from './scope-draft.js';
import { getTag, getString } from './moddle.js';
import { isInstantiating } from './node-kinds.js';

/** Checks the directions of gateways, and the elements after event-based ones. */
export function checkGateways(context: CompileContext, scope: ScopeDraft): void {
  for (const node of scope.nodes.values()) {
    if (!node.type.endsWith('Gateway')) continue;
    checkDirection(context, node);
    if (node.type === 'eventBasedGateway') checkEventGateway(context, node);
  }
}

/** Checks that the flows of a gateway match its `gatewayDirection` (BPMN 2.0, table 8.46). */
function checkDirection(context: CompileContext, { id, element, incoming, outgoing }: NodeDraft): void {
  const direction = getString(element, 'gatewayDirection');
  const [incomingCount, outgoingCount] = [incoming.length, outgoing.length];
  const expected =
    direction === 'Converging' && (incomingCount < 2 || outgoingCount > 1)
      ? 'several incoming and one outgoing flow'
      : direction === 'Diverging' && (incomingCount > 1 || outgoingCount < 2)
        ? 'one incoming and several outgoing flows'
        : direction === 'Mixed' && (incomingCount < 2 || outgoingCount < 2)
          ? 'several incoming and several outgoing flows'
          : undefined;
  if (expected === undefined) return;
  const message = `gatewayDirection="${direction ?? ''}" requires ${expected}, but the gateway has ${incomingCount} incoming and ${outgoingCount} outgoing.`;
  context.problems.add(id, 'gateway_direction', message);
}

/** The events allowed after an event-based gateway (BPMN 2.0, 10.6.6; "Multiple" is any combination of them). */
const AWAITABLE_EVENTS: ReadonlySet<string> = new Set([
  'messageEventDefinition',
  'timerEventDefinition',
  'signalEventDefinition',
  'conditionalEventDefinition',
]);
/**
 * The events allowed after a gateway that starts runs: before a run exists, a timer has no starting point, and a
 * condition has no variables.
 */
const STARTING_EVENTS: ReadonlySet<string> = new Set(['messageEventDefinition', 'signalEventDefinition']);

/** Checks an event-based gateway (BPMN 2.0, 10.6.6; Zeebe, EventBasedGatewayValidator). */
function checkEventGateway(context: CompileContext, gateway: NodeDraft): void {
  const { problems } = context;
  if (gateway.outgoing.length < 2) {
    problems.add(gateway.id, 'missing_outgoing', 'An event-based gateway needs at least two outgoing sequence flows.');
  }
  if (isInstantiating(gateway) && gateway.incoming.length > 0) {
    const message = 'An event-based gateway that starts runs (instantiate) cannot have incoming sequence flows.';
    problems.add(gateway.id, 'unexpected_incoming', message);
  }
  if (!isInstantiating(gateway) && getString(gateway.element, 'eventGatewayType') === 'Parallel') {
    const message = 'eventGatewayType="Parallel" is allowed only on gateways that start runs (instantiate="true").';
    problems.add(gateway.id, 'invalid_gateway_type', message);
  }
  const targets = gateway.outgoing
    .map((flow) => gateway.scope.nodes.get(flow.targetId))
    .filter((target) => target !== undefined);
  for (const target of targets) checkEventGatewayTarget(context, gateway, target);
  const receiveTask = targets.find((target) => target.type === 'receiveTask');
  const message = targets.find((target) =>
    getEventDefinitions(target).some((definition) => getTag(definition) === 'messageEventDefinition'),
  );
  if (receiveTask === undefined || message === undefined) return;
  const text = `Receive task "${receiveTask.id}" and message event "${message.id}" follow the same event-based gateway; use only one of the two kinds.`;
  problems.add(gateway.id, 'mixed_messages', text);
}

function checkEventGatewayTarget(context: CompileContext, gateway: NodeDraft, target: NodeDraft): void {
  const { problems } = context;
  const reportProblem = (code: string, message: string): void =>
    problems.add(target.id, code, `${message}, because it follows event-based gateway "${gateway.id}".`);
  const definitions = getEventDefinitions(target);
  const allowed = isInstantiating(gateway) ? STARTING_EVENTS : AWAITABLE_EVENTS;
  const isAwaitable =
    target.type === 'receiveTask' ||
    (target.type === 'intermediateCatchEvent' && definitions.every((definition) => allowed.has(getTag(definition))));
  if (!isAwaitable) {
    const kinds = isInstantiating(gateway) ? 'a message or a signal' : 'a message, a timer, a signal or a condition';
    reportProblem('invalid_event_target', `This element must be an event that catches ${kinds}, or a receive task`);
  }
  if (target.incoming.length > 1)
    reportProblem('unexpected_incoming', 'This element cannot have another incoming flow');
  if (target.boundaryEvents.length > 0)
    reportProblem('unexpected_boundary', 'This element cannot have boundary events');
  if (target.type === 'receiveTask' && isInstantiating(target))
    reportProblem('unexpected_instantiate', 'This receive task cannot start runs');
  if (target.element['loopCharacteristics'] !== undefined)
    reportProblem('unexpected_loop', 'This element cannot have a loop marker');
}
