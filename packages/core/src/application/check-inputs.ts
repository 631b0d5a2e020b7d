import { Validator, type OutputUnit, type Schema } from '@cfworker/json-schema';
import { LRUCache } from 'lru-cache';
import { findJsonProblem, type JsonObject } from '../domain/json.js';
import { badInput, type FieldFault } from './refuse.js';

const MAX_FAULTS = 50;

/** Keywords that only say that something below them is wrong, which has a fault of its own. */
const WRAPPERS: ReadonlySet<string> = new Set(['$ref', '$recursiveRef', 'properties', 'patternProperties', 'items', 'prefixItems', 'additionalItems', 'if']);

/** Schemas by the digest of the workflow version that declares them. */
const validators = new LRUCache<string, Validator>({ max: 500 });

/**
 * What keeps the inputs of a run from being taken: they can't be stored, or they do not fit the JSON Schema (2020-12) of
 * the workflow. `undefined` where all is well.
 */
export function findInputFaults(
  workflow: { readonly digest: string; readonly inputSchema: JsonObject | null },
  inputs: JsonObject,
): FieldFault[] | undefined {
  const problem = findJsonProblem(inputs, '/inputs');
  if (problem !== undefined) return [{ ...problem }];
  if (workflow.inputSchema === null) return undefined;
  const { valid, errors } = validatorOf(workflow.digest, workflow.inputSchema).validate(inputs);
  return valid ? undefined : faultsOf(errors);
}

export function inputsInvalid(faults: readonly FieldFault[]): Error {
  return badInput('inputs_invalid', 'The inputs do not fit what the workflow declares.', faults);
}

function validatorOf(digest: string, schema: JsonObject): Validator {
  const known = validators.get(digest);
  if (known !== undefined) return known;
  const made = new Validator(schema as Schema, '2020-12', false);
  validators.set(digest, made);
  return made;
}

function faultsOf(errors: readonly OutputUnit[]): FieldFault[] {
  const leaves = errors.filter((error) => !WRAPPERS.has(error.keyword));
  const chosen = leaves.length === 0 ? errors : leaves;
  return chosen.slice(0, MAX_FAULTS).map((error) => ({
    pointer: `/inputs${pointerOf(error.instanceLocation)}`,
    code: error.keyword.replace(/([A-Z])/g, (letter) => `_${letter.toLowerCase()}`),
    message: error.error,
  }));
}

/** The library gives the pointer as a URI fragment (RFC 6901, 6). */
function pointerOf(location: string): string {
  const pointer = location.replace(/^#/, '');
  try {
    return decodeURIComponent(pointer);
  } catch {
    return pointer;
  }
}
