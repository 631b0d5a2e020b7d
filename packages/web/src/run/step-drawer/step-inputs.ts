import type { JsonObject, RunEvent } from '@countersign/contract';

/** Of the events of a step. `seq`: events behind this one have not happened yet at the moment that is shown. */
export function eventsOfStep(events: readonly RunEvent[], stepId: string, seq = Infinity): readonly RunEvent[] {
  return events.filter((event) => event.stepId === stepId && event.seq <= seq);
}

/**
 * The mapped inputs of a task as the policy was asked about them when it last began; `undefined` where it has none. What an
 * earlier attempt had says nothing of the last one: an operator may have changed variables in between.
 */
export function inputsOf(events: readonly RunEvent[]): JsonObject | undefined {
  const asked = events.findLast(({ type }) => type === 'step.started')?.data['asked'];
  const inputs = isObject(asked) ? asked['inputs'] : undefined;
  return isObject(inputs) ? inputs : undefined;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
