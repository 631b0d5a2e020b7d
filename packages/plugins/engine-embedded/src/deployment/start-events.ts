import type { StartCondition, StartEvents, StartSubscription, StartTimer } from '@countersign/core/ports';
import {
  addIsoDuration,
  type CatchingNode,
  firstDue,
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

interface Found {
  readonly subscriptions: StartSubscription[];
  readonly conditions: StartCondition[];
  readonly timers: StartTimer[];
  readonly problems: ModelProblem[];
}

/**
 * Returns the triggers that start runs of a version: those of its start events (BPMN 2.0, table 10.84). Expressions
 * for names and times are evaluated once, at deployment, and without variables (as on Zeebe: no run exists yet).
 * Conditions are evaluated on request.
 *
 * @throws {ModelRefusedError} if a trigger can never occur as modeled
 */
export function startEventsOf(graph: WorkflowGraph, now: number): StartEvents {
  const found: Found = { subscriptions: [], conditions: [], timers: [], problems: [] };
  for (const elementId of graph.scopes.get(graph.workflowId)?.triggeredStartEvents ?? []) {
    const node = graph.nodes.get(elementId);
    if (node !== undefined) readNode(found, graph, node, now);
  }
  if (found.problems.length > 0) throw new ModelRefusedError(found.problems);
  return { subscriptions: found.subscriptions, conditions: found.conditions, timers: found.timers };
}

/**
 * Reads the triggers of a start event. Each event after an instantiating event-based gateway starts runs (BPMN 2.0,
 * 10.6.6).
 */
function readNode(found: Found, graph: WorkflowGraph, node: FlowNode, now: number): void {
  if (node.kind === 'eventGateway') {
    for (const flow of node.outgoing) {
      const target = graph.nodes.get(flow.targetId);
      if (target !== undefined) readNode(found, graph, target, now);
    }
  } else if ('triggers' in node) {
    for (const [index, trigger] of node.triggers.entries()) readTrigger(found, node, trigger, index, now);
  }
}

function readTrigger(
  found: Found,
  { id: elementId, parallelMultiple }: CatchingNode,
  trigger: Trigger,
  index: number,
  now: number,
): void {
  switch (trigger.kind) {
    case 'message':
      return subscribe(found, { kind: 'message', elementId, trigger: index, name: textOf(trigger.messageName, now) });
    case 'signal':
      return subscribe(found, { kind: 'signal', elementId, trigger: index, name: textOf(trigger.signalName, now) });
    case 'timer': {
      if (parallelMultiple) {
        const message =
          'A parallel multiple start event cannot have a timer, because the run that the timer belongs to would be unknown.';
        return refuse(found, elementId, 'unsupported_element', message);
      }
      const first = firstTime(trigger, now);
      if (first === undefined)
        refuse(found, elementId, 'invalid_timer', `The ${trigger.timer} of its timer is never due.`);
      else found.timers.push({ elementId, trigger: index, ...first });
      return;
    }
    case 'condition':
      found.conditions.push({ elementId, trigger: index });
      return;
    default:
      return refuse(
        found,
        elementId,
        'unsupported_element',
        `A start event of the kind ${trigger.kind} cannot be triggered from outside of a run.`,
      );
  }
}

function subscribe(
  found: Found,
  { kind, elementId, trigger, name }: Omit<StartSubscription, 'name'> & { readonly name: string | undefined },
): void {
  if (name === undefined)
    return refuse(
      found,
      elementId,
      `invalid_${kind}_name`,
      `The name of its ${kind} must be a string that does not depend on variables.`,
    );
  const other = found.subscriptions.find((each) => each.kind === kind && each.name === name);
  if (other !== undefined) {
    return refuse(
      found,
      elementId,
      'ambiguous_start',
      `The ${kind} "${name}" already starts the workflow at "${other.elementId}", and it can start only one run.`,
    );
  }
  found.subscriptions.push({ kind, elementId, trigger, name });
}

function firstTime({ timer, value }: TimerTrigger, now: number): Pick<StartTimer, 'dueAt' | 'cycle'> | undefined {
  const text = textOf(value, now);
  if (text === undefined) return undefined;
  if (timer === 'cycle') {
    const first = firstDue(text, now);
    return first === undefined ? undefined : { dueAt: first.dueAt, cycle: { text, left: first.left } };
  }
  const dueAt = timer === 'date' ? parseIsoDate(text) : dueAfter(text, now);
  return dueAt === undefined ? undefined : { dueAt, cycle: null };
}

function dueAfter(text: string, now: number): number | undefined {
  const duration = parseIsoDuration(text);
  return duration === undefined ? undefined : addIsoDuration(now, duration);
}

/** Returns the string that a value yields without variables; `undefined` if it yields none. */
function textOf(value: Value, now: number): string | undefined {
  try {
    const text =
      'literal' in value ? value.literal : value.expression.evaluate({ variables: { get: () => undefined }, now });
    return typeof text === 'string' && text !== '' ? text : undefined;
  } catch {
    return undefined;
  }
}

function refuse(found: Found, elementId: string, code: string, message: string): void {
  found.problems.push({ elementId, code, message });
}
