import type { Trigger } from '@countersign/model';
import type { CompileContext } from './compile-context.js';

/**
 * Triggers that may be non-interrupting. Errors and cancellation end the activity; compensation follows its completion.
 */
const NON_INTERRUPTING_KINDS: ReadonlySet<Trigger['kind']> = new Set([
  'message',
  'timer',
  'signal',
  'escalation',
  'condition',
]);

/**
 * Checks that the triggers of a boundary event or an event sub-process are allowed as interrupting or non-interrupting
 * (BPMN 2.0, tables 10.86 and 10.90; Zeebe 8.6, ModelUtil.verifyEventDefinition).
 */
export function checkInterrupting(
  context: CompileContext,
  elementId: string,
  triggers: readonly Trigger[],
  interrupting: boolean,
): void {
  for (const trigger of triggers) {
    if (!interrupting && !NON_INTERRUPTING_KINDS.has(trigger.kind)) {
      const message = `An event of type ${trigger.kind} always interrupts; it cannot be non-interrupting.`;
      context.problems.add(elementId, 'must_interrupt', message);
    } else if (interrupting && trigger.kind === 'timer' && trigger.timer === 'cycle') {
      const message =
        'An interrupting timer occurs only once, so it cannot have a timeCycle; use timeDuration or timeDate, or make it non-interrupting.';
      context.problems.add(elementId, 'must_not_repeat', message);
    }
  }
}

/**
 * Refuses a timer cycle on an event at which a token waits only once: the standard does not define whether later times
 * of the cycle would create more tokens, and engines differ (also refused by Zeebe 8.6,
 * IntermediateCatchEventValidator).
 */
export function checkNoTimerCycle(context: CompileContext, elementId: string, triggers: readonly Trigger[]): void {
  if (!triggers.some((trigger) => trigger.kind === 'timer' && trigger.timer === 'cycle')) return;
  const message =
    'A token waits here only once, so timeCycle is not allowed; use timeDuration or timeDate. To repeat, use a non-interrupting boundary event or event sub-process.';
  context.problems.add(elementId, 'must_not_repeat', message);
}
