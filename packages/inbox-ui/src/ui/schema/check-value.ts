import { Validator, type OutputUnit, type Schema } from '@cfworker/json-schema';
import { texts } from '../../texts/index.js';
import { isCostly } from './costly-pattern.js';
import { isObject, type Obj } from './json-object.js';
import { isInexact } from './number-text.js';

/** A part of a value that its schema does not allow. */
export interface ValueFault {
  /** Names and indexes from the root. */
  readonly path: readonly string[];
  readonly message: string;
}

/** Maximum length of a value as text; only the server checks a longer one. */
const LONGEST = 200_000;
/** Number of values times number of schemas. */
const MAX_WORK = 5_000_000;
const MAX_FAULTS = 50;

const t = texts.forms.faults;

/** Only report an error below them, which is listed separately. */
const WRAPPERS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'items',
  'prefixItems',
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'allOf',
  'if',
]);

/**
 * Validates a value against a schema made by `inlineSchema`. Runs no code from the schema (the content security policy
 * forbids it) and is bounded: checks that would take too long are left to the server, which validates everything
 * anyway.
 */
export function checkValue(schema: Obj, value: unknown): readonly ValueFault[] {
  const text = JSON.stringify(value) ?? 'null';
  if (text.length > LONGEST || text.length * JSON.stringify(schema).length > MAX_WORK * 20) return [];
  try {
    const { errors } = new Validator(
      withoutCostlyPatterns(schema, longestString(value)) as Schema,
      '2020-12',
      false,
    ).validate(JSON.parse(text));
    const leaves = errors.filter(({ keyword }) => !WRAPPERS.has(keyword));
    return (leaves.length === 0 ? errors : withoutAlternatives(leaves))
      .slice(0, MAX_FAULTS)
      .map((error) => faultOf(error, schema, value));
  } catch {
    // The schema is invalid or too deep: the server reports that better.
    return [];
  }
}

/** Reports once that no alternative matches, not the errors of each alternative. */
function withoutAlternatives(errors: readonly OutputUnit[]): OutputUnit[] {
  const choices = errors
    .filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')
    .map(({ keywordLocation }) => `${keywordLocation}/`);
  return errors.filter(({ keywordLocation }) => !choices.some((choice) => keywordLocation.startsWith(choice)));
}

/** Messages for keywords, with the value from the schema. The library's own messages are for programmers. */
const KEYWORDS: Readonly<Record<string, (limit: string) => string>> = {
  minimum: t.least,
  maximum: t.most,
  exclusiveMinimum: t.moreThan,
  exclusiveMaximum: t.lessThan,
  multipleOf: t.multipleOf,
  minItems: t.fewItems,
  maxItems: t.manyItems,
  minProperties: t.fewMembers,
  maxProperties: t.manyMembers,
  contains: () => t.contains,
  minContains: t.fewSuchItems,
  maxContains: t.manySuchItems,
  uniqueItems: () => t.unique,
  not: () => t.not,
  propertyNames: () => t.name,
  false: () => t.notAllowed,
  pattern: () => t.pattern,
  format: t.format,
  anyOf: () => t.noAlternative,
  oneOf: () => t.noAlternative,
};

function faultOf(
  { keyword, keywordLocation, instanceLocation, error }: OutputUnit,
  schema: Obj,
  value: unknown,
): ValueFault {
  const path = pathOf(instanceLocation);
  const asked = valueAt(schema, pathOf(keywordLocation));
  if (keyword === 'required' || keyword === 'dependentRequired' || keyword === 'dependencies') {
    const missing = /(?:required property|does not have) "([^]*)"\.$/.exec(error)?.[1];
    return missing === undefined ? { path, message: t.other } : { path: [...path, missing], message: t.required };
  }
  if (keyword === 'type') {
    const actual = valueAt(value, path);
    if (actual === null) return { path, message: t.required };
    const types = Array.isArray(asked) ? asked : [asked];
    // A form keeps input that is not a number as a string.
    const isNumeric = types.includes('number') || types.includes('integer');
    if (isNumeric && typeof actual === 'string')
      return { path, message: isInexact(actual) ? t.inexact : t.notNumber(!types.includes('number')) };
    return { path, message: t.type(types.map((type) => t.types[type as keyof typeof t.types] ?? String(type))) };
  }
  if (keyword === 'enum' || keyword === 'const')
    return {
      path,
      message: t.oneOf(
        (keyword === 'enum' && Array.isArray(asked) ? asked : [asked]).map((each) => JSON.stringify(each)),
      ),
    };
  if (keyword === 'minLength' || keyword === 'maxLength') {
    const actual = Number(/\((\d+) [<>]/.exec(error)?.[1]);
    return { path, message: (keyword === 'minLength' ? t.tooShort : t.tooLong)(actual, Number(asked)) };
  }
  return { path, message: KEYWORDS[keyword]?.(String(asked)) ?? t.other };
}

function valueAt(root: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined,
    root,
  );
}

/** Parses a pointer, which the library gives as a URI fragment (RFC 6901, 6). */
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
  return Object.entries(value).reduce(
    (longest, [name, each]) => Math.max(longest, name.length, longestString(each)),
    0,
  );
}

/** Removes patterns that could take too long for strings of this length. */
function withoutCostlyPatterns(schema: unknown, longest: number): unknown {
  if (Array.isArray(schema)) return schema.map((each) => withoutCostlyPatterns(each, longest));
  if (!isObject(schema)) return schema;
  const kept = Object.entries(schema).filter(
    ([keyword, value]) =>
      !(
        (keyword === 'pattern' && typeof value === 'string' && isCostly(value, longest)) ||
        (keyword === 'patternProperties' &&
          isObject(value) &&
          Object.keys(value).some((pattern) => isCostly(pattern, longest)))
      ),
  );
  return Object.fromEntries(
    kept.map(([keyword, value]) => [
      keyword,
      keyword === 'enum' || keyword === 'const' || keyword === 'default'
        ? value
        : withoutCostlyPatterns(value, longest),
    ]),
  );
}
