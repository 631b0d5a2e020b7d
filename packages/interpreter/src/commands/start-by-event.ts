import {
  type EventGateway,
  type FlowNode,
  type JsonObject,
  type StartEvent,
  type StartingEvent,
  type Taints,
  resolveExternalTaints,
} from '@countersign/model';
import { complete } from '../complete.js';
import { enter } from '../enter.js';
import { trigger } from '../events/trigger.js';
import type { Execution } from '../execution.js';
import { StepFailure } from '../incidents.js';
import { createInstance, toStepStart } from '../steps.js';
import { mergeUpwards } from '../variables.js';

/**
 * Starts a run by an external event (BPMN 2.0, 13.5.1): at a start event, at a receive task, or at an event after an
 * event-based gateway.
 *
 * @throws {StepFailure} if the event's payload does not contain the correlation keys for the other required events
 */
export function* startByEvent(execution: Execution, startingEvent: StartingEvent): Generator<void, void> {
  const { elementId, trigger: triggerIndex, payload } = startingEvent;
  const taints = resolveExternalTaints(startingEvent);
  const node = execution.node(elementId);
  const gateway = findInstantiatingGateway(execution, node);
  if (gateway !== undefined) return startAfterGateway(execution, gateway, node, payload, taints);
  if (node.kind === 'startEvent' && node.parallelMultiple)
    return yield* startAtParallelMultiple(execution, node, triggerIndex, payload, taints);
  execution.scheduleEnter({ node, scope: execution.state.root, via: null, event: payload, taints });
}

function findInstantiatingGateway(execution: Execution, { incoming }: FlowNode): EventGateway | undefined {
  for (const flow of incoming) {
    const source = execution.node(flow.sourceId);
    if (source.kind === 'eventGateway' && source.instantiate) return source;
  }
  return undefined;
}

/**
 * Starts after an event-based gateway (BPMN 2.0, 10.6.6). At an exclusive gateway, the event selects the path; at a
 * parallel gateway, the run also waits for all other events.
 */
function startAfterGateway(
  execution: Execution,
  gateway: EventGateway,
  node: FlowNode,
  payload: JsonObject,
  taints: Taints | undefined,
): void {
  const { root } = execution.state;
  const instance = createInstance(execution, gateway, root, undefined);
  execution.emit('step.started', instance, toStepStart(gateway, instance, null));
  // The first event's payload provides the correlation keys of the others.
  if (gateway.parallel) mergeUpwards(execution, instance, payload, taints);
  complete(execution, gateway, instance, null);
  for (const flow of gateway.outgoing) {
    const target = execution.node(flow.targetId);
    if (target.id === node.id) execution.scheduleEnter({ node, scope: root, via: flow.id, event: payload, taints });
    else if (gateway.parallel) execution.scheduleEnter({ node: target, scope: root, via: flow.id });
  }
}

/**
 * Starts at a parallel multiple start event (BPMN 2.0, 10.5.2 "Parallel Multiple"). The run continues when the other
 * events have also happened.
 */
function* startAtParallelMultiple(
  execution: Execution,
  node: StartEvent,
  triggerIndex: number,
  payload: JsonObject,
  taints: Taints | undefined,
): Generator<void, void> {
  const { root } = execution.state;
  mergeUpwards(execution, execution.get(root), payload, taints);
  yield* enter(execution, { type: 'enter', node, scope: root, via: null });
  const [instance] = execution.children(root).filter((each) => each.elementId === node.id);
  if (instance === undefined) throw new Error('The start event was entered, but it has no instance.');
  if (instance.incident !== undefined) throw new StepFailure(instance.incident.code, instance.incident.message);
  const wait = instance.waits?.find((each) => 'trigger' in each && each.trigger === triggerIndex);
  if (wait === undefined || !('elementId' in wait)) throw new Error('The start event does not wait for its trigger.');
  yield* trigger(execution, instance, wait, payload, taints);
}
