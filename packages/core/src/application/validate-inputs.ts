import { Validator, type OutputUnit, type Schema } from '@cfworker/json-schema';
import { LRUCache } from 'lru-cache';
import type { Json, JsonObject } from '@countersign/model';
import type { FieldError } from './refuse.js';

const MAX_FAULTS = 50;

/** Keywords that only report an error below them, which has its own field error. */
const WRAPPERS: ReadonlySet<string> = new Set([
  '$ref',
  '$recursiveRef',
  'properties',
  'patternProperties',
  'items',
  'prefixItems',
  'additionalItems',
  'if',
]);

interface Validators {
  /** Validator that only checks whether inputs fit, and stops at the first error. */
  readonly quick: Validator;
  readonly thorough: Validator;
}

/** Validators by digest of the workflow version that declares the schema. */
const validators = new LRUCache<string, Validators>({ max: 500 });

/** Field error for inputs that cannot be checked within the limits. */
export const TOO_COSTLY: FieldError = {
  pointer: '/inputs',
  code: 'too_costly',
  message: 'Checking this takes too long.',
};

/** Validates inputs against a JSON Schema (2020-12). The time is unbounded; see `checkInputsInWorker`. */
export function validateInputs(digest: string, schema: JsonObject, inputs: Json): FieldError[] | undefined {
  const { quick, thorough } = validatorsOf(digest, schema);
  const first = withinStack(() => quick.validate(inputs));
  if (first === undefined) return [TOO_COSTLY];
  if (first.valid) return undefined;
  return faultsOf((withinStack(() => thorough.validate(inputs)) ?? first).errors);
}

/**
 * Runs a check and returns `undefined` on a stack overflow. The library recurses for each level and passes errors as
 * arguments; either can be too many.
 */
function withinStack<T>(check: () => T): T | undefined {
  try {
    return check();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function validatorsOf(digest: string, schema: JsonObject): Validators {
  const known = validators.get(digest);
  if (known !== undefined) return known;
  const validator = (stopAtFirst: boolean): Validator => new Validator(schema as Schema, '2020-12', stopAtFirst);
  const made = { quick: validator(true), thorough: validator(false) };
  validators.set(digest, made);
  return made;
}

function faultsOf(errors: readonly OutputUnit[]): FieldError[] {
  const leaves = errors.filter((error) => !WRAPPERS.has(error.keyword));
  const chosen = leaves.length === 0 ? errors : leaves;
  return chosen.slice(0, MAX_FAULTS).map((error) => ({
    pointer: `/inputs${pointerOf(error.instanceLocation)}`,
    code: error.keyword.replace(/([A-Z])/g, (letter) => `_${letter.toLowerCase()}`),
    message: error.error,
  }));
}

/** Converts the library's URI fragment to a JSON Pointer (RFC 6901, 6). */
function pointerOf(location: string): string {
  const pointer = location.replace(/^#/, '');
  try {
    return decodeURIComponent(pointer);
  } catch {
    return pointer;
  }
}
