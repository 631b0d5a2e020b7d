import { Validator, type OutputUnit, type Schema } from '@cfworker/json-schema';
import { LRUCache } from 'lru-cache';
import type { Json, JsonObject } from '@countersign/model';
import type { FieldError } from './refuse.js';

const MAX_FAULTS = 50;

/** Keywords that only say that something below them is wrong, which has a fault of its own. */
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
  /** Says whether inputs fit, and stops at the first fault. */
  readonly quick: Validator;
  readonly thorough: Validator;
}

/** By the digest of the workflow version that declares the schema. */
const validators = new LRUCache<string, Validators>({ max: 500 });

/** What is said of inputs that can't be checked within the bounds. */
export const TOO_COSTLY: FieldError = {
  pointer: '/inputs',
  code: 'too_costly',
  message: 'This takes too long to be checked.',
};

/** Holds inputs against a JSON Schema (2020-12). It may take any time; see `checkInputsInWorker`. */
export function validateInputs(digest: string, schema: JsonObject, inputs: Json): FieldError[] | undefined {
  const { quick, thorough } = validatorsOf(digest, schema);
  const first = withinStack(() => quick.validate(inputs));
  if (first === undefined) return [TOO_COSTLY];
  if (first.valid) return undefined;
  return faultsOf((withinStack(() => thorough.validate(inputs)) ?? first).errors);
}

/** The library calls itself for each level, and hands its faults on as arguments: there can be too many of either. */
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

/** The library gives the pointer as a URI fragment (RFC 6901, 6). */
function pointerOf(location: string): string {
  const pointer = location.replace(/^#/, '');
  try {
    return decodeURIComponent(pointer);
  } catch {
    return pointer;
  }
}
