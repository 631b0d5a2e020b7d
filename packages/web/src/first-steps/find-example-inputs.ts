import type { JsonObject } from '@countersign/contract';

/**
 * Returns the first example of a JSON Schema (`examples`, JSON Schema 2020-12, Validation 9.5) if it can be the inputs of
 * a run, which are an object.
 */
export function findExampleInputs(schema: Readonly<Record<string, unknown>> | null): JsonObject | undefined {
  const examples = schema?.['examples'];
  const example: unknown = Array.isArray(examples) ? examples[0] : undefined;
  return typeof example === 'object' && example !== null && !Array.isArray(example)
    ? (example as JsonObject)
    : undefined;
}
