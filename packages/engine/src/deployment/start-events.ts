import type { StartCondition, StartEvents, StartSubscription, StartTimer } from '@countersign/core/ports';
import {
  addIsoDuration,
  type CatchingNode,
  computeFirstCycleTime,
  type FlowNode,
  type ModelProblem,
  ModelRefusedError,
  parseIsoDate,
  parseIsoDuration,
  type TimerTrigger,
  type Trigger,
  type Value,
  type WorkflowGraph,
} from '@countersign/model';

interface StartEventCollector {
  readonly subscriptions: StartSubscription[];
  readonly conditions: StartCondition[];
  readonly timers: StartTimer[];
  readonly problems: ModelProblem[];
}

/**
 * Returns the triggers that start runs of a version: those of its start events (BPMN 2.0, table 10.84). Expressions
 * for names and times are evaluated once, at deployment, and without variables (as in Zeebe: no run exists yet).
 * Conditions are evaluated on request.
 *
 * @throws {ModelRefusedError} if a trigger can never occur as modeled
 */
export function readStartEvents(graph: WorkflowGraph, now: number): StartEvents {
  const collector: StartEventCollector = { subscriptions: [], conditions: [], timers: [], problems: [] };
  for (const elementId of graph.scopes.get(graph.workflowId)?.triggeredStartEvents ?? []) {
    const node = graph.nodes.get(elementId);
    if (node !== undefined) readNode(collector, graph, node, now);
  }
  if (collector.problems.length > 0) throw new ModelRefusedError(collector.problems);
  return { subscriptions: collector.subscriptions, conditions: collector.conditions, timers: collector.timers };
}

/**
 * Reads the triggers of a start event. Each event after an instantiating event-based gateway starts runs (BPMN 2.0,
 * 10.6.6).
 */
function readNode(collector: StartEventCollector, graph: WorkflowGraph, node: FlowNode, now: number): void {
  if (node.kind === 'eventGateway') {
    for (const flow of node.outgoing) {
      const target = graph.nodes.get(flow.targetId);
      if (target !== undefined) readNode(collector, graph, target, now);
    }
  } else if ('triggers' in node) {
    for (const [index, trigger] of node.triggers.entries()) readTrigger(collector, node, trigger, index, now);
  }
}

function readTrigger(
  collector: StartEventCollector,
  { id: elementId, parallelMultiple }: CatchingNode,
  trigger: Trigger,
  index: number,
  now: number,
): void {
  switch (trigger.kind) {
    case 'message':
      return addSubscription(collector, {
        kind: 'message',
        elementId,
        trigger: index,
        name: evaluateString(trigger.messageName, now),
      });
    case 'signal':
      return addSubscription(collector, {
        kind: 'signal',
        elementId,
        trigger: index,
        name: evaluateString(trigger.signalName, now),
      });
    case 'timer': {
      if (parallelMultiple) {
        const message =
          'A parallel multiple start event cannot have a timer, because the run that the timer belongs to would be unknown.';
        return addProblem(collector, elementId, 'unsupported_element', message);
      }
      const first = findFirstDueTime(trigger, now);
      if (first === undefined)
        addProblem(collector, elementId, 'invalid_timer', `The ${trigger.timer} of the timer is invalid or never due.`);
      else collector.timers.push({ elementId, trigger: index, ...first });
      return;
    }
    case 'condition':
      collector.conditions.push({ elementId, trigger: index });
      return;
    default:
      return addProblem(
        collector,
        elementId,
        'unsupported_element',
        `A start event of type "${trigger.kind}" cannot be triggered from outside a run.`,
      );
  }
}

function addSubscription(
  collector: StartEventCollector,
  { kind, elementId, trigger, name }: Omit<StartSubscription, 'name'> & { readonly name: string | undefined },
): void {
  if (name === undefined)
    return addProblem(
      collector,
      elementId,
      `invalid_${kind}_name`,
      `The name of the ${kind} must be a string that does not depend on variables.`,
    );
  const other = collector.subscriptions.find((each) => each.kind === kind && each.name === name);
  if (other !== undefined) {
    return addProblem(
      collector,
      elementId,
      'ambiguous_start',
      `The ${kind} "${name}" already starts the workflow at "${other.elementId}". It can start only one run, so this element must use another name.`,
    );
  }
  collector.subscriptions.push({ kind, elementId, trigger, name });
}

function findFirstDueTime(
  { timer, value }: TimerTrigger,
  now: number,
): Pick<StartTimer, 'dueAt' | 'cycle'> | undefined {
  const text = evaluateString(value, now);
  if (text === undefined) return undefined;
  if (timer === 'cycle') {
    const first = computeFirstCycleTime(text, now);
    return first === undefined ? undefined : { dueAt: first.dueAt, cycle: { text, left: first.left } };
  }
  const dueAt = timer === 'date' ? parseIsoDate(text) : dueAfterDuration(text, now);
  return dueAt === undefined ? undefined : { dueAt, cycle: null };
}

function dueAfterDuration(text: string, now: number): number | undefined {
  const duration = parseIsoDuration(text);
  return duration === undefined ? undefined : addIsoDuration(now, duration);
}

/** Returns the string that a value yields without variables; `undefined` if it yields none. */
function evaluateString(value: Value, now: number): string | undefined {
  try {
    const text =
      'literal' in value ? value.literal : value.expression.evaluate({ variables: { get: () => undefined }, now });
    return typeof text === 'string' && text !== '' ? text : undefined;
  } catch {
    return undefined;
  }
}

function addProblem(collector: StartEventCollector, elementId: string, code: string, message: string): void {
  collector.problems.push({ elementId, code, message });
}
