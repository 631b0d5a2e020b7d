import { Validator } from '@cfworker/json-schema';
import {
  findJsonProblem,
  InexactNumberError,
  isJsonObject,
  type Json,
  type JsonObject,
  parseExactJson,
  formatSuggestion,
} from '@countersign/model';
import type { CompileContext } from './compile-context.js';
import { findSchemaError } from './schema-errors.js';

const PROPERTY_NAME = 'inputSchema';

/** Returns the JSON Schema (2020-12) of a process's inputs, from its property `inputSchema`. */
export function readInputSchema(
  context: CompileContext,
  processId: string,
  properties: Readonly<Record<string, string>>,
): JsonObject | null {
  const misspelledName = Object.keys(properties).find(
    (name) => name !== PROPERTY_NAME && name.toLowerCase() === PROPERTY_NAME.toLowerCase(),
  );
  if (misspelledName !== undefined) {
    const message = `Property "${misspelledName}" is not known.${formatSuggestion(misspelledName, [PROPERTY_NAME])}`;
    context.problems.add(processId, 'unknown_property', message);
  }
  const text = properties[PROPERTY_NAME];
  if (text === undefined) return null;
  const result = parseSchema(text);
  if ('schemaError' in result) {
    context.problems.add(processId, 'invalid_input_schema', `Property "${PROPERTY_NAME}": ${result.schemaError}.`);
    return null;
  }
  const declared = result.schema['properties'];
  for (const name of isJsonObject(declared) ? Object.keys(declared) : []) {
    if (!context.resultVariables.has(name)) continue;
    const message = `Property "${PROPERTY_NAME}" declares "${name}", which is the result variable of an approval: only approval decisions write it.`;
    context.problems.add(processId, 'result_variable_reserved', message);
  }
  return result.schema;
}

/**
 * Returns the error message for a JSON Schema with a number that cannot be represented exactly, often a bound of int64.
 */
export function describeInexactNumber({ problem, reason }: InexactNumberError): string {
  return `At "${problem.pointer}": ${reason} Leave it out, or describe the value as a string.`;
}

function parseSchema(text: string): { readonly schema: JsonObject } | { readonly schemaError: string } {
  let schema: Json;
  try {
    schema = parseExactJson(text) as Json;
  } catch (error) {
    if (error instanceof InexactNumberError) return { schemaError: describeInexactNumber(error).replace(/\.$/, '') };
    return { schemaError: `not valid JSON (${error instanceof Error ? error.message : String(error)})` };
  }
  if (!isJsonObject(schema)) return { schemaError: 'the JSON Schema must be an object' };
  const problem = findJsonProblem(schema);
  if (problem !== undefined) return { schemaError: `at ${problem.pointer}: ${problem.message.replace(/\.$/, '')}` };
  const error = findSchemaError(schema);
  if (error !== undefined) return { schemaError: error };
  try {
    // The validator resolves references on construction and on use: an empty object exercises both.
    new Validator(schema, '2020-12', false).validate({});
  } catch (error) {
    return { schemaError: `not a usable JSON Schema (${error instanceof Error ? error.message : String(error)})` };
  }
  return { schema };
}
