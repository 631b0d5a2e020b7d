import type { CompileContext } from './compile-context.js';
import { getEventDefinitions, type NodeDraft, type ScopeDraft } from './scope-draft.js';
import { getElement, getTag, getString, type ModdleElement } from './moddle.js';
import { isEventSubProcess, isInstantiating } from './node-kinds.js';

/**
 * Checks that no two events in the same position wait for the same trigger, because it would be ambiguous which event
 * occurs (Zeebe 8.6, ModelUtil: verifyNoDuplicatedBoundaryEvents, …EventSubprocesses, …SignalStartEvents,
 * …MessageStartEvents).
 */
export function checkEvents(context: CompileContext, scope: ScopeDraft): void {
  const nodes = [...scope.nodes.values()];
  for (const node of nodes) {
    checkDistinctEvents(context, node.boundaryEvents, `on the boundary of "${node.id}"`);
    if (node.type === 'intermediateCatchEvent') checkDistinctEvents(context, [node], 'in one event');
    if (node.type === 'eventBasedGateway')
      checkDistinctEvents(context, getFollowingNodes(node), `after gateway "${node.id}"`);
  }
  const handlers = nodes.filter(isEventSubProcess).flatMap((node) => getStartEvents(node.innerScope));
  checkDistinctEvents(context, handlers, `in the event sub-processes of "${scope.id}"`);
  if (scope.kind !== 'process') return;
  const gateways = nodes.filter((node) => node.type === 'eventBasedGateway' && isInstantiating(node));
  const receivers = nodes.filter((node) => node.type === 'receiveTask' && isInstantiating(node));
  checkDistinctEvents(
    context,
    [...getStartEvents(scope), ...receivers, ...gateways.flatMap(getFollowingNodes)],
    'among the elements that start runs',
  );
}

function getStartEvents(scope: ScopeDraft | undefined): readonly NodeDraft[] {
  return scope === undefined ? [] : [...scope.nodes.values()].filter((node) => node.type === 'startEvent');
}

function getFollowingNodes(gateway: NodeDraft): readonly NodeDraft[] {
  return gateway.outgoing.map((flow) => gateway.scope.nodes.get(flow.targetId)).filter((node) => node !== undefined);
}

function checkDistinctEvents(context: CompileContext, events: readonly NodeDraft[], location: string): void {
  const seen = new Map<string, string>();
  for (const event of events) {
    for (const awaitedEvent of describeAwaitedEvents(event)) {
      const other = seen.get(awaitedEvent);
      if (other === undefined) {
        seen.set(awaitedEvent, event.id);
        continue;
      }
      const message = `${awaitedEvent} is awaited twice ${location}${other === event.id ? '' : ` (also by "${other}")`}; only once is allowed.`;
      context.problems.add(event.id, 'duplicate_event', message);
    }
  }
}

/** Describes the triggers that an event or a receive task waits for, except triggers that may be repeated. */
function describeAwaitedEvents(event: NodeDraft): readonly string[] {
  const definitions = event.type === 'receiveTask' ? [event.element] : getEventDefinitions(event);
  const descriptions = definitions.map(describeDefinition).filter((each) => each !== undefined);
  // compensation.ts checks compensation boundary events.
  return event.type === 'boundaryEvent' ? descriptions.filter((each) => each !== 'Compensation') : descriptions;
}

function describeDefinition(definition: ModdleElement): string | undefined {
  switch (getTag(definition)) {
    case 'receiveTask':
    case 'messageEventDefinition':
      return describeReference('Message', getElement(definition, 'messageRef'), 'name');
    case 'signalEventDefinition':
      return describeReference('Signal', getElement(definition, 'signalRef'), 'name');
    case 'errorEventDefinition':
      return describeReference('Error', getElement(definition, 'errorRef'), 'errorCode') ?? 'Any error';
    case 'escalationEventDefinition':
      return (
        describeReference('Escalation', getElement(definition, 'escalationRef'), 'escalationCode') ?? 'Any escalation'
      );
    case 'cancelEventDefinition':
      return 'Cancellation';
    case 'compensateEventDefinition':
      return 'Compensation';
    default:
      // Timers and conditions may have different values at evaluation.
      return undefined;
  }
}

function describeReference(kind: string, element: ModdleElement | undefined, property: string): string | undefined {
  const name = element === undefined ? '' : (getString(element, property)?.trim() ?? '');
  return name === '' ? undefined : `${kind} "${name}"`;
}
