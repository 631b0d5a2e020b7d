import { Validator } from '@cfworker/json-schema';
import {
  findJsonProblem,
  InexactNumberError,
  isJsonObject,
  type Json,
  type JsonObject,
  parseExactJson,
  suggestion,
} from '@countersign/model';
import type { CompileContext } from './compile-context.js';
import { findSchemaError } from './schema-errors.js';

const PROPERTY = 'inputSchema';

/** Returns the JSON Schema (2020-12) of a process's inputs, from its property `inputSchema`. */
export function readInputSchema(
  context: CompileContext,
  processId: string,
  properties: Readonly<Record<string, string>>,
): JsonObject | null {
  const misspelt = Object.keys(properties).find(
    (name) => name !== PROPERTY && name.toLowerCase() === PROPERTY.toLowerCase(),
  );
  if (misspelt !== undefined) {
    const message = `Property "${misspelt}" is not known.${suggestion(misspelt, [PROPERTY])}`;
    context.problems.add(processId, 'unknown_property', message);
  }
  const text = properties[PROPERTY];
  if (text === undefined) return null;
  const result = parseSchema(text);
  if ('fault' in result) {
    context.problems.add(processId, 'invalid_input_schema', `Property "${PROPERTY}": ${result.fault}.`);
    return null;
  }
  const declared = result.schema['properties'];
  for (const name of isJsonObject(declared) ? Object.keys(declared) : []) {
    if (!context.resultVariables.has(name)) continue;
    const message = `Property "${PROPERTY}" declares "${name}", which is the result variable of an approval: only approval decisions write it.`;
    context.problems.add(processId, 'result_variable_reserved', message);
  }
  return result.schema;
}

/**
 * Returns the error message for a JSON Schema with a number that is not exact, often the limit of another number type
 * (int64).
 */
export function inexactSchema({ problem, fact }: InexactNumberError): string {
  return `At "${problem.pointer}": ${fact} Leave it out, or describe the value as a string.`;
}

function parseSchema(text: string): { readonly schema: JsonObject } | { readonly fault: string } {
  let schema: Json;
  try {
    schema = parseExactJson(text) as Json;
  } catch (error) {
    if (error instanceof InexactNumberError) return { fault: inexactSchema(error).replace(/\.$/, '') };
    return { fault: `not valid JSON (${error instanceof Error ? error.message : String(error)})` };
  }
  if (!isJsonObject(schema)) return { fault: 'the JSON Schema must be an object' };
  const problem = findJsonProblem(schema);
  if (problem !== undefined) return { fault: `at ${problem.pointer}: ${problem.message.replace(/\.$/, '')}` };
  const fault = findSchemaError(schema);
  if (fault !== undefined) return { fault };
  try {
    // The validator resolves references on construction and on use: an empty object exercises both.
    new Validator(schema, '2020-12', false).validate({});
  } catch (error) {
    return { fault: `not a usable JSON Schema (${error instanceof Error ? error.message : String(error)})` };
  }
  return { schema };
}
