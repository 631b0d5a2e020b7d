import { Validator, type OutputUnit, type Schema } from '@cfworker/json-schema';
import { LRUCache } from 'lru-cache';
import type { JsonObject } from '../domain/json.js';
import type { FieldFault } from './refuse.js';

const MAX_FAULTS = 50;

/** Keywords that only say that something below them is wrong, which has a fault of its own. */
const WRAPPERS: ReadonlySet<string> = new Set(['$ref', '$recursiveRef', 'properties', 'patternProperties', 'items', 'prefixItems', 'additionalItems', 'if']);

interface Validators {
  /** Says whether inputs fit, and stops at the first fault. */
  readonly quick: Validator;
  readonly thorough: Validator;
}

/** By the digest of the workflow version that declares the schema. */
const validators = new LRUCache<string, Validators>({ max: 500 });

/** Holds inputs against a JSON Schema (2020-12). It may take any time; see `checkInTime`. */
export function validateInputs(digest: string, schema: JsonObject, inputs: JsonObject): FieldFault[] | undefined {
  const { quick, thorough } = validatorsOf(digest, schema);
  const { valid, errors } = quick.validate(inputs);
  if (valid) return undefined;
  try {
    return faultsOf(thorough.validate(inputs).errors);
  } catch (error) {
    // The library hands its faults on as arguments, of which there can be too many.
    if (error instanceof RangeError) return faultsOf(errors);
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
