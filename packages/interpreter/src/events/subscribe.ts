import {
  addIsoDuration,
  type CatchingNode,
  type ElementInstance,
  type EvaluationScope,
  type EventWait,
  computeFirstCycleTime,
  findLengthError,
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
import { evaluateName, formatForMessage } from '../names.js';
import { addWait } from '../steps.js';
import { evaluate, buildEvaluationScope } from '../variables.js';

/**
 * Subscribes an instance to an event: its own, one of its boundary events, an event after its event-based gateway, or
 * the start event of an event sub-process in it. Errors, escalations, compensation and cancellation need no
 * subscription, because their catching event is searched for when they are thrown.
 *
 * @throws {StepFailure} if an expression of the event has an invalid result
 */
export function subscribe(execution: Execution, key: number, event: CatchingNode): void {
  for (const [index, trigger] of event.triggers.entries()) {
    const holder = execution.get(key);
    const eventWait: EventWait = {
      elementId: event.id,
      since: execution.now,
      ...(event.triggers.length > 1 ? { trigger: index } : {}),
    };
    openSubscription(execution, holder, eventWait, trigger);
  }
}

function openSubscription(execution: Execution, holder: ElementInstance, eventWait: EventWait, trigger: Trigger): void {
  switch (trigger.kind) {
    case 'message':
      subscribeToMessage(execution, holder, eventWait, trigger);
      return;
    case 'signal':
      subscribeToSignal(execution, holder, eventWait, trigger);
      return;
    case 'timer':
      armEventTimer(execution, holder, eventWait, trigger);
      return;
    case 'condition':
      addWait(execution, holder.key, { kind: 'condition', ...eventWait });
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

function subscribeToMessage(
  execution: Execution,
  holder: ElementInstance,
  eventWait: EventWait,
  trigger: MessageTrigger,
): void {
  const scope = buildEvaluationScope(execution, holder);
  const messageName = evaluateName(
    trigger.messageName,
    scope,
    'message_name_invalid',
    `The message name of "${eventWait.elementId}"`,
  );
  const correlationKey = evaluateCorrelationKey(trigger.correlationKey, scope, eventWait.elementId);
  const subscriptionId = execution.nextId();
  addWait(execution, holder.key, { kind: 'message', subscriptionId, ...eventWait, messageName, correlationKey });
  execution.request({
    type: 'subscription.open',
    subscription: {
      subscriptionId,
      stepId: holder.stepId,
      elementId: eventWait.elementId,
      messageName,
      correlationKey,
      since: eventWait.since,
    },
  });
  execution.emit(
    resolveAwaitedType(holder, eventWait, 'message.awaited'),
    toEventLocation(holder, eventWait),
    { subscriptionId, messageName },
    { correlationKey },
  );
}

/** @throws {StepFailure} if the key is not a string or number, or is too long */
export function evaluateCorrelationKey(value: Value | null, scope: EvaluationScope, elementId: string): string {
  const key = value === null ? '' : evaluate(value, scope);
  const label = `The correlation key of "${elementId}"`;
  if (typeof key !== 'string' && typeof key !== 'number')
    throw new StepFailure(
      'correlation_key_invalid',
      `${label} must be a string or a number, but it is ${formatForMessage(key)}.`,
    );
  const correlationKey = String(key);
  const lengthError = findLengthError(correlationKey, label);
  if (lengthError !== undefined) throw new StepFailure('correlation_key_invalid', lengthError);
  return correlationKey;
}

function subscribeToSignal(
  execution: Execution,
  holder: ElementInstance,
  eventWait: EventWait,
  trigger: SignalTrigger,
): void {
  const signalName = evaluateName(
    trigger.signalName,
    buildEvaluationScope(execution, holder),
    'signal_name_invalid',
    `The signal name of "${eventWait.elementId}"`,
  );
  const subscriptionId = execution.nextId();
  addWait(execution, holder.key, { kind: 'signal', subscriptionId, ...eventWait, signalName });
  execution.request({
    type: 'signal.open',
    subscription: {
      subscriptionId,
      stepId: holder.stepId,
      elementId: eventWait.elementId,
      signalName,
      since: eventWait.since,
    },
  });
  execution.emit('event.awaited', toEventLocation(holder, eventWait), { subscriptionId, signalName });
}

function armEventTimer(
  execution: Execution,
  holder: ElementInstance,
  eventWait: EventWait,
  trigger: TimerTrigger,
): void {
  const { dueAt, cycle } = evaluateTimer(execution, holder, eventWait.elementId, trigger);
  const timerId = execution.nextId();
  addWait(execution, holder.key, {
    kind: 'timer',
    timerId,
    ...eventWait,
    purpose: 'event',
    dueAt,
    ...(cycle === undefined ? {} : { cycle }),
  });
  execution.request({ type: 'timer.arm', timerId, stepId: holder.stepId, dueAt });
}

function evaluateTimer(
  execution: Execution,
  holder: ElementInstance,
  elementId: string,
  { timer, value }: TimerTrigger,
): { dueAt: number; cycle?: TimerCycle } {
  const timerValue = evaluate(value, buildEvaluationScope(execution, holder));
  if (typeof timerValue === 'string') {
    if (timer === 'cycle') {
      const first = computeFirstCycleTime(timerValue, execution.now);
      if (first !== undefined) return { dueAt: first.dueAt, cycle: { text: timerValue, left: first.left } };
    } else {
      const dueAt = timer === 'date' ? parseIsoDate(timerValue) : addDuration(timerValue, execution.now);
      if (dueAt !== undefined) return { dueAt };
    }
  }
  const label =
    timer === 'cycle'
      ? 'an ISO 8601 repeating interval or a cron expression that is due in the years 1 to 9999'
      : `an ISO 8601 ${timer === 'date' ? 'date with time and offset' : 'duration that ends'} in the years 1 to 9999`;
  throw new StepFailure(
    'timer_invalid',
    `The ${timer} of timer "${elementId}" must be ${label}, but it is ${JSON.stringify(timerValue)}.`,
  );
}

function addDuration(isoDuration: string, now: number): number | undefined {
  const duration = parseIsoDuration(isoDuration);
  return duration === undefined ? undefined : addIsoDuration(now, duration);
}

/**
 * Returns the type of the run event that records the wait: `ownType` if the step waits for its own event,
 * `event.awaited` if it waits for an attached event.
 */
function resolveAwaitedType(
  holder: ElementInstance,
  eventWait: EventWait,
  ownType: 'message.awaited',
): 'message.awaited' | 'event.awaited' {
  return holder.elementId === eventWait.elementId ? ownType : 'event.awaited';
}

function toEventLocation(holder: ElementInstance, eventWait: EventWait): { stepId: string; elementId: string } {
  return { stepId: holder.stepId, elementId: eventWait.elementId };
}
