import type { CatchingNode, ElementInstance, EventWait, Wait, WorkflowGraph } from '@countersign/model';
import type { Execution } from '../execution.js';
import { isOwnWait } from '../steps.js';
import type { AddRefusal } from './require-counterpart.js';
import type { ElementMapping } from './element-mapping.js';
import { hasSameTriggers } from './same-definition.js';

/**
 * The plan for the events around an instance: its boundary events, the start events of event sub-processes in it, and
 * the events after it if it is an event-based gateway.
 */
export interface EventPlan {
  readonly key: number;
  /** Waits that are kept, with the id of the event in the target. */
  readonly keptWaits: ReadonlyMap<Wait, string>;
  readonly closedWaits: readonly Wait[];
  /** Events that only the target has. */
  readonly openedEvents: readonly CatchingNode[];
}

/**
 * Matches the events around an instance with those of the target (Zeebe 8.6: catch events that are mapped keep their
 * subscription and due date, others are closed, and new ones are opened). An event that has already occurred, and
 * therefore has no wait, is not opened again.
 */
export function planEvents(
  execution: Execution,
  mapping: ElementMapping,
  instance: ElementInstance,
  refuse: AddRefusal,
): EventPlan {
  const target = mapping.findTargetId(instance.elementId);
  const before = new Map(
    findSurroundingEvents(mapping.source, instance, instance.elementId).map((event) => [event.id, event]),
  );
  const after = new Map(
    (target === undefined ? [] : findSurroundingEvents(mapping.target, instance, target)).map((event) => [
      event.id,
      event,
    ]),
  );
  const counterparts = new Map<string, string>();
  for (const event of before.values()) {
    const id = mapping.findTargetId(event.id);
    const counterpart = id === undefined ? undefined : after.get(id);
    const isSame = counterpart !== undefined && hasSameTriggers(event, counterpart);
    if (isSame && [...counterparts.values()].includes(counterpart.id)) {
      refuse(
        'mapping_ambiguous',
        event.id,
        `More than one event would become "${counterpart.id}". Map each to a different event.`,
      );
    } else if (isSame) counterparts.set(event.id, counterpart.id);
    else if (mapping.isExplicit(event.id)) {
      refuse(
        'event_changed',
        event.id,
        `"${event.id}" cannot become "${id ?? ''}", which waits for a different kind of event or is in another scope.`,
      );
    }
  }
  const targetByWait = new Map<Wait, string>();
  const waitsToClose: Wait[] = [];
  for (const wait of instance.waits ?? []) {
    if (isOwnWait(instance, wait)) continue;
    const counterpart = counterparts.get((wait as Wait & EventWait).elementId);
    if (counterpart === undefined) waitsToClose.push(wait);
    else targetByWait.set(wait, counterpart);
  }
  const mappedEventIds = new Set(counterparts.values());
  const eventsToOpen = canOpenEvents(execution, instance)
    ? [...after.values()].filter((event) => !mappedEventIds.has(event.id))
    : [];
  return { key: instance.key, keptWaits: targetByWait, closedWaits: waitsToClose, openedEvents: eventsToOpen };
}

/** Returns the events around an instance of an element: see {@link EventPlan}. */
function findSurroundingEvents(graph: WorkflowGraph, instance: ElementInstance, elementId: string): CatchingNode[] {
  const node = graph.nodes.get(elementId);
  // Loop instances have no attached events, and events in a scope belong to each loop instance, not to the loop.
  const attached = instance.loopCounter === undefined ? (node?.boundaryEvents ?? []) : [];
  const eventSubProcesses = instance.loop === undefined ? (graph.scopes.get(elementId)?.eventSubProcesses ?? []) : [];
  const starts = eventSubProcesses.flatMap((id) => {
    const each = graph.nodes.get(id);
    return each?.kind === 'eventSubProcess' ? [each.startEvent] : [];
  });
  const followingEvents = node?.kind === 'eventGateway' ? node.outgoing.map((flow) => flow.targetId) : [];
  return [...attached, ...starts, ...followingEvents].flatMap((id) => {
    const each = graph.nodes.get(id);
    return each !== undefined && 'triggers' in each ? [each] : [];
  });
}

/**
 * Returns whether new events may be opened. An instance that has not started yet opens its events when it starts; an
 * instance that has ended or was interrupted waits for no events.
 */
function canOpenEvents(execution: Execution, instance: ElementInstance): boolean {
  const { incident, compensating } = instance;
  if (incident?.phase === 'enter' || incident?.phase === 'leave' || compensating?.then === 'cancelTransaction')
    return false;
  return !execution.children(instance.key).some((child) => {
    const node = execution.graph.nodes.get(child.elementId);
    const start = node?.kind === 'eventSubProcess' ? execution.graph.nodes.get(node.startEvent) : undefined;
    return start?.kind === 'startEvent' && start.interrupting;
  });
}
