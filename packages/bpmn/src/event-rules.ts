import type { CompileContext } from './compile-context.js';
import { eventDefinitionsOf, type NodeDraft, type ScopeDraft } from './draft-scope.js';
import { elementOf, tagOf, textOf, type ModdleElement } from './moddle.js';
import { isEventSubProcess, isInstantiating } from './node-kinds.js';

/**
 * Checks that no two events in one position wait for the same, since it would be ambiguous which of them happens (Zeebe
 * 8.6, ModelUtil: verifyNoDuplicatedBoundaryEvents, …EventSubprocesses, …SignalStartEvents, …MessageStartEvents).
 */
export function checkEvents(context: CompileContext, scope: ScopeDraft): void {
  const nodes = [...scope.nodes.values()];
  for (const node of nodes) {
    checkDistinct(context, node.boundaryEvents, `on the boundary of "${node.id}"`);
    if (node.type === 'intermediateCatchEvent') checkDistinct(context, [node], 'in one event');
    if (node.type === 'eventBasedGateway') checkDistinct(context, behind(node), `after gateway "${node.id}"`);
  }
  const handlers = nodes.filter(isEventSubProcess).flatMap((node) => startsOf(node.inner));
  checkDistinct(context, handlers, `in the event sub-processes of "${scope.id}"`);
  if (scope.kind !== 'process') return;
  const gateways = nodes.filter((node) => node.type === 'eventBasedGateway' && isInstantiating(node));
  const receivers = nodes.filter((node) => node.type === 'receiveTask' && isInstantiating(node));
  checkDistinct(
    context,
    [...startsOf(scope), ...receivers, ...gateways.flatMap(behind)],
    'among the elements that start runs',
  );
}

function startsOf(scope: ScopeDraft | undefined): readonly NodeDraft[] {
  return scope === undefined ? [] : [...scope.nodes.values()].filter((node) => node.type === 'startEvent');
}

function behind(gateway: NodeDraft): readonly NodeDraft[] {
  return gateway.outgoing.map((flow) => gateway.scope.nodes.get(flow.targetId)).filter((node) => node !== undefined);
}

function checkDistinct(context: CompileContext, events: readonly NodeDraft[], where: string): void {
  const seen = new Map<string, string>();
  for (const event of events) {
    for (const awaited of awaitedBy(event)) {
      const other = seen.get(awaited);
      if (other === undefined) {
        seen.set(awaited, event.id);
        continue;
      }
      const message = `${awaited} is awaited twice ${where}${other === event.id ? '' : ` (also by "${other}")`}; only once is allowed.`;
      context.problems.add(event.id, 'duplicate_event', message);
    }
  }
}

/** Returns descriptions of what an event or a receive task waits for, except what may occur twice. */
function awaitedBy(event: NodeDraft): readonly string[] {
  const definitions = event.type === 'receiveTask' ? [event.element] : eventDefinitionsOf(event);
  const words = definitions.map(wordsOf).filter((each) => each !== undefined);
  // compensation.ts checks compensation boundary events.
  return event.type === 'boundaryEvent' ? words.filter((each) => each !== 'Compensation') : words;
}

function wordsOf(definition: ModdleElement): string | undefined {
  switch (tagOf(definition)) {
    case 'receiveTask':
    case 'messageEventDefinition':
      return named('Message', elementOf(definition, 'messageRef'), 'name');
    case 'signalEventDefinition':
      return named('Signal', elementOf(definition, 'signalRef'), 'name');
    case 'errorEventDefinition':
      return named('Error', elementOf(definition, 'errorRef'), 'errorCode') ?? 'Any error';
    case 'escalationEventDefinition':
      return named('Escalation', elementOf(definition, 'escalationRef'), 'escalationCode') ?? 'Any escalation';
    case 'cancelEventDefinition':
      return 'Cancellation';
    case 'compensateEventDefinition':
      return 'Compensation';
    default:
      // Timers and conditions may differ at evaluation.
      return undefined;
  }
}

function named(kind: string, element: ModdleElement | undefined, property: string): string | undefined {
  const name = element === undefined ? '' : (textOf(element, property)?.trim() ?? '');
  return name === '' ? undefined : `${kind} "${name}"`;
}
