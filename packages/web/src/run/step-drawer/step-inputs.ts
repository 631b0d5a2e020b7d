import type { JsonObject, RunEvent } from '@countersign/contract';

/**
 * Returns the events of a step.
 *
 * @param seq sequence number of the event whose state is shown; later events are omitted
 */
export function filterStepEvents(events: readonly RunEvent[], stepId: string, seq = Infinity): readonly RunEvent[] {
  return events.filter((event) => event.stepId === stepId && event.seq <= seq);
}

/**
 * Returns the mapped inputs that the policy received when the step last started, or `undefined` if it received none.
 * Earlier starts are ignored, because an operator may have changed variables since then.
 */
export function findStepInputs(events: readonly RunEvent[]): JsonObject | undefined {
  const request = events.findLast(({ type }) => type === 'step.started')?.data['asked'];
  const inputs = isObject(request) ? request['inputs'] : undefined;
  return isObject(inputs) ? inputs : undefined;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
