import type { JsonObject } from '@countersign/core/plugin';
import type { ElementInstance, Mapping } from '@countersign/model';

/** What the mappings wrote to the step's own variables; others of the same scope (a turn of a loop has some) are left out. */
export function mappedInputs(mappings: readonly Mapping[], { variables = {} }: ElementInstance): JsonObject {
  const names = new Set(mappings.map(({ target }) => target[0]));
  return Object.fromEntries(Object.entries(variables).filter(([name]) => names.has(name)));
}
