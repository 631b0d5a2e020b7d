import {
  addIsoDuration,
  type CatchingNode,
  type ElementInstance,
  type EvaluationScope,
  type EventWait,
  firstDue,
  faultOfLength,
  type MessageTrigger,
  parseIsoDate,
  parseIsoDuration,
  type SignalTrigger,
  type TimerCycle,
  type TimerTrigger,
  type Trigger,
  type Value,
  unreachable,
} from '@countersign/model';
import type { Execution } from '../execution.js';
import { StepFailure } from '../incidents.js';
import { nameOf, shown } from '../names.js';
import { addWait } from '../steps.js';
import { evaluate, scopeOf } from '../variables.js';

/**
 * Subscribes an instance to an event: its own, or that of its boundary event, of an event after an event-based gateway,
 * or of an event sub-process in it. Errors, escalations, compensation and cancellation need no subscription; catchers
 * are found when they are thrown.
 *
 * @throws {StepFailure} if an expression of the event has an invalid result
 */
export function subscribe(execution: Execution, key: number, event: CatchingNode): void {
  for (const [index, trigger] of event.triggers.entries()) {
    const holder = execution.get(key);
    const place: EventWait = {
      elementId: event.id,
      since: execution.now,
      ...(event.triggers.length > 1 ? { trigger: index } : {}),
    };
    open(execution, holder, place, trigger);
  }
}

function open(execution: Execution, holder: ElementInstance, place: EventWait, trigger: Trigger): void {
  switch (trigger.kind) {
    case 'message':
      openMessage(execution, holder, place, trigger);
      return;
    case 'signal':
      openSignal(execution, holder, place, trigger);
      return;
    case 'timer':
      openTimer(execution, holder, place, trigger);
      return;
    case 'condition':
      addWait(execution, holder.key, { kind: 'condition', ...place });
      // The condition may already be true.
      execution.variablesChanged = true;
      return;
    case 'error':
    case 'escalation':
    case 'compensation':
    case 'cancel':
      return;
    default:
      return unreachable(trigger);
  }
}

function openMessage(execution: Execution, holder: ElementInstance, place: EventWait, trigger: MessageTrigger): void {
  const scope = scopeOf(execution, holder);
  const messageName = nameOf(
    trigger.messageName,
    scope,
    'message_name_invalid',
    `The message name of "${place.elementId}"`,
  );
  const correlationKey = correlationKeyOf(trigger.correlationKey, scope, place.elementId);
  const subscriptionId = execution.nextId();
  addWait(execution, holder.key, { kind: 'message', subscriptionId, ...place, messageName, correlationKey });
  execution.request({
    type: 'subscription.open',
    subscription: {
      subscriptionId,
      stepId: holder.stepId,
      elementId: place.elementId,
      messageName,
      correlationKey,
      since: place.since,
    },
  });
  execution.emit(
    awaitedType(holder, place, 'message.awaited'),
    at(holder, place),
    { subscriptionId, messageName },
    { correlationKey },
  );
}

/** @throws {StepFailure} if the key is not a string or number, or is too long */
export function correlationKeyOf(value: Value | null, scope: EvaluationScope, elementId: string): string {
  const key = value === null ? '' : evaluate(value, scope);
  const what = `The correlation key of "${elementId}"`;
  if (typeof key !== 'string' && typeof key !== 'number')
    throw new StepFailure('correlation_key_invalid', `${what} must be a string or a number, but it is ${shown(key)}.`);
  const text = String(key);
  const fault = faultOfLength(text, what);
  if (fault !== undefined) throw new StepFailure('correlation_key_invalid', fault);
  return text;
}

function openSignal(execution: Execution, holder: ElementInstance, place: EventWait, trigger: SignalTrigger): void {
  const signalName = nameOf(
    trigger.signalName,
    scopeOf(execution, holder),
    'signal_name_invalid',
    `The signal name of "${place.elementId}"`,
  );
  const subscriptionId = execution.nextId();
  addWait(execution, holder.key, { kind: 'signal', subscriptionId, ...place, signalName });
  execution.request({
    type: 'signal.open',
    subscription: { subscriptionId, stepId: holder.stepId, elementId: place.elementId, signalName, since: place.since },
  });
  execution.emit('event.awaited', at(holder, place), { subscriptionId, signalName });
}

function openTimer(execution: Execution, holder: ElementInstance, place: EventWait, trigger: TimerTrigger): void {
  const { dueAt, cycle } = timerOf(execution, holder, place.elementId, trigger);
  const timerId = execution.nextId();
  addWait(execution, holder.key, {
    kind: 'timer',
    timerId,
    ...place,
    purpose: 'event',
    dueAt,
    ...(cycle === undefined ? {} : { cycle }),
  });
  execution.request({ type: 'timer.arm', timerId, stepId: holder.stepId, dueAt });
}

function timerOf(
  execution: Execution,
  holder: ElementInstance,
  elementId: string,
  { timer, value }: TimerTrigger,
): { dueAt: number; cycle?: TimerCycle } {
  const text = evaluate(value, scopeOf(execution, holder));
  if (typeof text === 'string') {
    if (timer === 'cycle') {
      const first = firstDue(text, execution.now);
      if (first !== undefined) return { dueAt: first.dueAt, cycle: { text, left: first.left } };
    } else {
      const dueAt = timer === 'date' ? parseIsoDate(text) : dueAfter(text, execution.now);
      if (dueAt !== undefined) return { dueAt };
    }
  }
  const what =
    timer === 'cycle'
      ? 'an ISO 8601 repeating interval or a cron expression that is due in the years 1 to 9999'
      : `an ISO 8601 ${timer === 'date' ? 'date with time and offset' : 'duration that ends'} in the years 1 to 9999`;
  throw new StepFailure(
    'timer_invalid',
    `The ${timer} of timer "${elementId}" must be ${what}, but it is ${JSON.stringify(text)}.`,
  );
}

function dueAfter(text: string, now: number): number | undefined {
  const duration = parseIsoDuration(text);
  return duration === undefined ? undefined : addIsoDuration(now, duration);
}

/** Returns the event type: a step waits when it awaits its own event, but not because of an attached event. */
function awaitedType(
  holder: ElementInstance,
  place: EventWait,
  own: 'message.awaited',
): 'message.awaited' | 'event.awaited' {
  return holder.elementId === place.elementId ? own : 'event.awaited';
}

function at(holder: ElementInstance, place: EventWait): { stepId: string; elementId: string } {
  return { stepId: holder.stepId, elementId: place.elementId };
}
