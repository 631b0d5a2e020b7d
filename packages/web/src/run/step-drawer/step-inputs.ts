import type { JsonObject, RunEvent } from '@countersign/contract';

/**
 * Returns the events of a step.
 *
 * @param seq later events are left out: they are after the state that is shown
 */
export function eventsOfStep(events: readonly RunEvent[], stepId: string, seq = Infinity): readonly RunEvent[] {
  return events.filter((event) => event.stepId === stepId && event.seq <= seq);
}

/**
 * Returns the mapped inputs of a task that the policy received at its last start, or `undefined` if the policy received
 * none. Earlier attempts do not count, because an operator may have changed variables since.
 */
export function inputsOf(events: readonly RunEvent[]): JsonObject | undefined {
  const asked = events.findLast(({ type }) => type === 'step.started')?.data['asked'];
  const inputs = isObject(asked) ? asked['inputs'] : undefined;
  return isObject(inputs) ? inputs : undefined;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
