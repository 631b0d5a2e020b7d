import type { JsonObject, RunEvent } from '@countersign/contract';

/**
 * Returns the events of a step.
 *
 * @param seq later events are left out: they are after the state that is shown
 */
export function filterStepEvents(events: readonly RunEvent[], stepId: string, seq = Infinity): readonly RunEvent[] {
  return events.filter((event) => event.stepId === stepId && event.seq <= seq);
}

/**
 * Returns the mapped inputs of a task that the policy received at its last start, or `undefined` if the policy received
 * none. Earlier attempts do not count, because an operator may have changed variables since.
 */
export function findStepInputs(events: readonly RunEvent[]): JsonObject | undefined {
  const request = events.findLast(({ type }) => type === 'step.started')?.data['asked'];
  const inputs = isObject(request) ? request['inputs'] : undefined;
  return isObject(inputs) ? inputs : undefined;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
