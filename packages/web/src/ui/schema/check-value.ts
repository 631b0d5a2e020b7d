import { Validator, type OutputUnit, type Schema } from '@cfworker/json-schema';
import { texts } from '../../texts/index.js';
import { isCostly } from './costly-pattern.js';
import { isObject, type Obj } from './json-object.js';

/** Something of a value that its schema does not allow. */
export interface ValueFault {
  /** Where: names and indexes from the top. */
  readonly path: readonly string[];
  readonly message: string;
}

/** Length of a value as text, beyond which only the server checks it. */
const LONGEST = 200_000;
/** Values times schemas. */
const MOST_WORK = 5_000_000;
const MOST_FAULTS = 50;

/** Say only that something below them is wrong, which has a fault of its own. */
const WRAPPERS: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'items', 'prefixItems', 'additionalProperties', 'unevaluatedProperties', 'unevaluatedItems', 'allOf', 'if']);

/**
 * Holds a value against a schema that `inlineSchema` made. It runs no code of the schema (the policy of the page forbids
 * it), and is bounded: what would take too long is left to the server, which checks everything anyway.
 */
export function checkValue(schema: Obj, value: unknown): readonly ValueFault[] {
  const text = JSON.stringify(value) ?? 'null';
  if (text.length > LONGEST || text.length * JSON.stringify(schema).length > MOST_WORK * 20) return [];
  try {
    const { errors } = new Validator(withoutCostlyPatterns(schema, longestString(value)) as Schema, '2020-12', false).validate(JSON.parse(text));
    const leaves = errors.filter(({ keyword }) => !WRAPPERS.has(keyword));
    return (leaves.length === 0 ? errors : withoutAlternatives(leaves)).slice(0, MOST_FAULTS).map(faultOf);
  } catch {
    // A schema that is none, or a level too many: the server says it better.
    return [];
  }
}

/** Where none of several schemas fits, that is said once, not what each of them would have wanted. */
function withoutAlternatives(errors: readonly OutputUnit[]): OutputUnit[] {
  const choices = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf').map(({ keywordLocation }) => `${keywordLocation}/`);
  return errors.filter(({ keywordLocation }) => !choices.some((choice) => keywordLocation.startsWith(choice)));
}

function faultOf({ keyword, instanceLocation, error }: OutputUnit): ValueFault {
  const path = pathOf(instanceLocation);
  const { faults } = texts.forms;
  if (keyword === 'required' || keyword === 'dependentRequired') {
    const missing = /(?:required property|does not have) "([^]*)"\.$/.exec(error)?.[1];
    return missing === undefined ? { path, message: error } : { path: [...path, missing], message: faults.required };
  }
  if (keyword === 'type') {
    if (error.startsWith('Instance type "null"')) return { path, message: faults.required };
    const expected = (/Expected "([^]*)"\.$/.exec(error)?.[1] ?? '').split('", "');
    return { path, message: faults.type(expected.map((type) => faults.types[type as keyof typeof faults.types] ?? type)) };
  }
  if (keyword === 'false') return { path, message: faults.notAllowed };
  if (keyword === 'enum' || keyword === 'const') return { path, message: faults.oneOf(error.replace(/^Instance does not match (?:any of )?\[?/, '').replace(/\]?\.$/, '')) };
  if (keyword === 'pattern') return { path, message: faults.pattern };
  if (keyword === 'format') return { path, message: faults.format(/"([^]*)"/.exec(error)?.[1] ?? '') };
  if (keyword === 'anyOf' || keyword === 'oneOf') return { path, message: faults.noAlternative };
  const [, actual = '', limit = ''] = /\((\d+) [<>] (\d+)\)/.exec(error) ?? [];
  if (keyword === 'minLength') return { path, message: faults.tooShort(Number(actual), Number(limit)) };
  if (keyword === 'maxLength') return { path, message: faults.tooLong(Number(actual), Number(limit)) };
  return { path, message: error };
}

/** The library gives the pointer as a URI fragment (RFC 6901, 6). */
export function pathOf(pointer: string): string[] {
  return pointer
    .replace(/^#/, '')
    .split('/')
    .slice(1)
    .map((part) => unescape(part).replaceAll('~1', '/').replaceAll('~0', '~'));
}

function unescape(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function longestString(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce((longest, [name, each]) => Math.max(longest, name.length, longestString(each)), 0);
}

/** Leaves out the patterns that could take too long with strings of this length. */
function withoutCostlyPatterns(schema: unknown, longest: number): unknown {
  if (Array.isArray(schema)) return schema.map((each) => withoutCostlyPatterns(each, longest));
  if (!isObject(schema)) return schema;
  const kept = Object.entries(schema).filter(([keyword, value]) => !((keyword === 'pattern' && typeof value === 'string' && isCostly(value, longest)) || (keyword === 'patternProperties' && isObject(value) && Object.keys(value).some((pattern) => isCostly(pattern, longest)))));
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, keyword === 'enum' || keyword === 'const' || keyword === 'default' ? value : withoutCostlyPatterns(value, longest)]));
}
