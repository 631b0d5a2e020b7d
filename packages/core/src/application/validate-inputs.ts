import { Validator, type OutputUnit, type Schema } from '@cfworker/json-schema';
import { LRUCache } from 'lru-cache';
import type { Json, JsonObject } from '@countersign/model';
import type { FieldError } from './errors.js';

const MAX_ERRORS = 50;

/** Keywords whose error only wraps the errors of nested keywords, which have their own field errors. */
const WRAPPER_KEYWORDS: ReadonlySet<string> = new Set([
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
  /** Validator that stops at the first error, to check whether inputs are valid. */
  readonly quick: Validator;
  readonly thorough: Validator;
}

/** Validators by the digest that identifies the schema. */
const validators = new LRUCache<string, Validators>({ max: 500 });

/** Field error for inputs that cannot be checked within the limits. */
export const TOO_COSTLY_ERROR: FieldError = {
  pointer: '/inputs',
  code: 'too_costly',
  message:
    'Checking the inputs takes too long. Use smaller inputs, or ask the author of the workflow to simplify its input schema.',
};

/** Validates inputs against a JSON Schema (2020-12). The time is unbounded; see `checkInputsInWorker`. */
export function validateInputs(digest: string, schema: JsonObject, inputs: Json): FieldError[] | undefined {
  const { quick, thorough } = getValidators(digest, schema);
  const quickResult = catchStackOverflow(() => quick.validate(inputs));
  if (quickResult === undefined) return [TOO_COSTLY_ERROR];
  if (quickResult.valid) return undefined;
  return toFieldErrors((catchStackOverflow(() => thorough.validate(inputs)) ?? quickResult).errors);
}

/**
 * Runs a check and returns `undefined` on a stack overflow. The library recurses into each level and passes the errors
 * as arguments; both can overflow the stack.
 */
function catchStackOverflow<T>(check: () => T): T | undefined {
  try {
    return check();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function getValidators(digest: string, schema: JsonObject): Validators {
  const cached = validators.get(digest);
  if (cached !== undefined) return cached;
  const createValidator = (stopAtFirst: boolean): Validator => new Validator(schema as Schema, '2020-12', stopAtFirst);
  const created = { quick: createValidator(true), thorough: createValidator(false) };
  validators.set(digest, created);
  return created;
}

function toFieldErrors(errors: readonly OutputUnit[]): FieldError[] {
  const leaves = errors.filter((error) => !WRAPPER_KEYWORDS.has(error.keyword));
  const reportedErrors = leaves.length === 0 ? errors : leaves;
  return reportedErrors.slice(0, MAX_ERRORS).map((error) => ({
    pointer: `/inputs${decodeLocation(error.instanceLocation)}`,
    code: error.keyword.replace(/([A-Z])/g, (letter) => `_${letter.toLowerCase()}`),
    message: error.error,
  }));
}

/** Converts the library's URI fragment to a JSON Pointer (RFC 6901, 6). */
function decodeLocation(location: string): string {
  const pointer = location.replace(/^#/, '');
  try {
    return decodeURIComponent(pointer);
  } catch {
    return pointer;
  }
}
