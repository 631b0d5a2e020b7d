import { LRUCache } from 'lru-cache';
import { findInputProblem, type Json, type JsonObject } from '@countersign/model';
import { checkInputsInWorker } from './check-inputs-in-worker.js';
import { inputError, type FieldError } from './errors.js';
import { validateInputs } from './validate-inputs.js';

/** Keywords whose cost is at most one visit of each part of the inputs. */
const CHEAP_KEYWORDS: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  '$comment',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'type',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'prefixItems',
  'enum',
  'const',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
]);
/** Maximum JSON length of small schemas and inputs, in characters. */
const MAX_SMALL_CHARACTERS = 10_000;

/** Whether schemas are small and use only cheap keywords, by the digest that identifies the schema. */
const isCheapByDigest = new LRUCache<string, boolean>({ max: 500 });

/**
 * Returns the errors of inputs that cannot be stored or do not match the JSON Schema (2020-12). Returns `undefined` if
 * the inputs are valid. Also checks the outputs of agents and the answers to questions.
 */
export async function findInputErrors(
  schemaSource: { readonly digest: string; readonly inputSchema: JsonObject | null },
  inputs: Json,
): Promise<FieldError[] | undefined> {
  const problem = findInputProblem(inputs, '/inputs');
  if (problem !== undefined) return [{ ...problem }];
  const { digest, inputSchema: schema } = schemaSource;
  if (schema === null) return undefined;
  if (hasCheapSchema(digest, schema) && isSmall(inputs)) return validateInputs(digest, schema, inputs);
  return checkInputsInWorker({ digest, schema, inputs });
}

export function inputsInvalidError(fieldErrors: readonly FieldError[]): Error {
  return inputError('inputs_invalid', 'The inputs do not match the schema of the workflow.', fieldErrors);
}

function hasCheapSchema(digest: string, schema: JsonObject): boolean {
  const cached = isCheapByDigest.get(digest);
  if (cached !== undefined) return cached;
  const isCheap = isSmall(schema) && hasCheapKeywords(schema);
  isCheapByDigest.set(digest, isCheap);
  return isCheap;
}

function hasCheapKeywords(schema: Json): boolean {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return true;
  const { properties = {}, items = true, additionalProperties = true, prefixItems = [] } = schema;
  return (
    Object.keys(schema).every((keyword) => CHEAP_KEYWORDS.has(keyword)) &&
    [
      items,
      additionalProperties,
      ...Object.values(properties ?? {}),
      ...(Array.isArray(prefixItems) ? prefixItems : []),
    ].every(hasCheapKeywords)
  );
}

function isSmall(value: Json): boolean {
  return JSON.stringify(value).length <= MAX_SMALL_CHARACTERS;
}
