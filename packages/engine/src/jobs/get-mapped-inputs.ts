import type { JsonObject } from '@countersign/core/plugin';
import type { ElementInstance, Mapping } from '@countersign/model';

/**
 * Returns the step variables that are targets of its input mappings, without other variables of the same scope (such as
 * those of a loop instance).
 */
export function getMappedInputs(mappings: readonly Mapping[], { variables = {} }: ElementInstance): JsonObject {
  const names = new Set(mappings.map(({ target }) => target[0]));
  return Object.fromEntries(Object.entries(variables).filter(([name]) => names.has(name)));
}
