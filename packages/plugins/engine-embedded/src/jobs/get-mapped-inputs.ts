import type { JsonObject } from '@countersign/core/plugin';
import type { ElementInstance, Mapping } from '@countersign/model';

/**
 * Returns the variables of the step that its input mappings set, without other variables of the same scope (such as
 * those of a loop instance).
 */
export function getMappedInputs(mappings: readonly Mapping[], { variables = {} }: ElementInstance): JsonObject {
  const names = new Set(mappings.map(({ target }) => target[0]));
  return Object.fromEntries(Object.entries(variables).filter(([name]) => names.has(name)));
}
