import { addIsoDuration, parseIsoDate, parseIsoDuration } from '../../domain/iso-8601.js';
import type { ElementInstance } from '../../domain/run-state.js';
import type { MessageTrigger, TimerTrigger } from '../../domain/event-definitions.js';
import type { CatchNode } from '../../domain/workflow-graph.js';
import type { Execution } from '../execution.js';
import { StepFailure } from '../incidents.js';
import { addWait, armTimer } from '../steps.js';
import { evaluate, scopeOf } from '../variables.js';

/** Intermediate catch events and receive tasks: wait for a message or a time (BPMN 2.0, 13.5.3). */
export function enterCatch(execution: Execution, node: CatchNode, instance: ElementInstance): void {
  const [trigger] = node.triggers;
  if (trigger?.kind === 'message') openSubscription(execution, trigger, instance);
  else if (trigger?.kind === 'timer') armTimer(execution, instance, 'event', timerDueAt(execution, trigger, instance));
}

function openSubscription(execution: Execution, trigger: MessageTrigger, instance: ElementInstance): void {
  const scope = scopeOf(execution, instance);
  const messageName = evaluate(trigger.messageName, scope);
  if (typeof messageName !== 'string' || messageName === '') {
    throw new StepFailure('message_name_invalid', `The message name of "${instance.elementId}" must be a text.`);
  }
  const key = trigger.correlationKey === null ? '' : evaluate(trigger.correlationKey, scope);
  if (typeof key !== 'string' && typeof key !== 'number') {
    throw new StepFailure(
      'correlation_key_invalid',
      `The correlation key of "${instance.elementId}" must be a text or a number, but it is ${JSON.stringify(key)}.`,
    );
  }
  const subscription = {
    subscriptionId: execution.nextId(),
    elementId: instance.elementId,
    messageName,
    correlationKey: String(key),
    since: execution.now,
  };
  addWait(execution, instance.key, { kind: 'message', ...subscription });
  execution.request({ type: 'subscription.open', subscription: { ...subscription, stepId: instance.stepId } });
  execution.emit('message.awaited', instance, { subscriptionId: subscription.subscriptionId, messageName }, {
    correlationKey: subscription.correlationKey,
  });
}

function timerDueAt(execution: Execution, trigger: TimerTrigger, instance: ElementInstance): number {
  const value = evaluate(trigger.value, scopeOf(execution, instance));
  if (typeof value === 'string') {
    const dueAt = trigger.timer === 'date' ? parseIsoDate(value) : dueAfter(value, execution.now);
    if (dueAt !== undefined) return dueAt;
  }
  throw new StepFailure(
    'timer_invalid',
    `The ${trigger.timer} of timer "${instance.elementId}" must be an ISO 8601 text, but it is ${JSON.stringify(value)}.`,
  );
}

function dueAfter(text: string, now: number): number | undefined {
  const duration = parseIsoDuration(text);
  return duration === undefined ? undefined : addIsoDuration(now, duration);
}
