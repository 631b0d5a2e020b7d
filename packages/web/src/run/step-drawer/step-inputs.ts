import type { JsonObject, RunEvent } from '@countersign/contract';

/** The mapped inputs of a step as the policy was asked about them when it last began; `undefined` where there are none. */
export function inputsOf(events: readonly RunEvent[]): JsonObject | undefined {
  for (const { type, data } of [...events].reverse()) {
    const { asked } = data;
    if (type !== 'step.started' || typeof asked !== 'object' || asked === null || Array.isArray(asked)) continue;
    const inputs = asked['inputs'];
    if (typeof inputs === 'object' && inputs !== null && !Array.isArray(inputs)) return inputs;
  }
  return undefined;
}
