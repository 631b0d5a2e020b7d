import { Validator, type OutputUnit, type Schema } from '@cfworker/json-schema';
import { texts } from '../../texts/index.js';
import { isCostlyPattern } from './costly-pattern.js';
import { isObject, type ObjectValue } from './json-object.js';
import { isInexact } from './number-text.js';

/** A part of a value that its schema does not allow. */
export interface ValueError {
  /** Names and indexes from the root. */
  readonly path: readonly string[];
  readonly message: string;
}

/** Maximum length of a value as JSON text; a longer value is validated only by the server. */
const MAX_TEXT_LENGTH = 200_000;
/** Maximum number of values times number of schemas, as estimated from the lengths of their JSON texts. */
const MAX_WORK = 5_000_000;
const MAX_ERRORS = 50;

const t = texts.forms.valueErrors;

/** Keywords whose errors only indicate that there is another error inside the value, which is listed separately. */
const WRAPPER_KEYWORDS: ReadonlySet<string> = new Set([
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
export function findValueErrors(schema: ObjectValue, value: unknown): readonly ValueError[] {
  const text = JSON.stringify(value) ?? 'null';
  if (text.length > MAX_TEXT_LENGTH || text.length * JSON.stringify(schema).length > MAX_WORK * 20) return [];
  try {
    const { errors } = new Validator(
      removeCostlyPatterns(schema, findLongestStringLength(value)) as Schema,
      '2020-12',
      false,
    ).validate(JSON.parse(text));
    const leaves = errors.filter(({ keyword }) => !WRAPPER_KEYWORDS.has(keyword));
    return (leaves.length === 0 ? errors : omitAlternativeErrors(leaves))
      .slice(0, MAX_ERRORS)
      .map((error) => toValueError(error, schema, value));
  } catch {
    // The schema is invalid or nested too deeply, which the server reports.
    return [];
  }
}

/** Omits the errors of each alternative: one error reports that no alternative matches. */
function omitAlternativeErrors(errors: readonly OutputUnit[]): OutputUnit[] {
  const alternativeLocations = errors
    .filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')
    .map(({ keywordLocation }) => `${keywordLocation}/`);
  return errors.filter(
    ({ keywordLocation }) => !alternativeLocations.some((location) => keywordLocation.startsWith(location)),
  );
}

/**
 * Messages by keyword; their argument is the keyword's value in the schema. The library's own messages are for
 * developers.
 */
const KEYWORD_MESSAGES: Readonly<Record<string, (limit: string) => string>> = {
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
  anyOf: () => t.noneOfAlternatives,
  oneOf: () => t.noAlternative,
};

function toValueError(
  { keyword, keywordLocation, instanceLocation, error }: OutputUnit,
  schema: ObjectValue,
  value: unknown,
): ValueError {
  const path = parsePointer(instanceLocation);
  const keywordValue = getValueAt(schema, parsePointer(keywordLocation));
  if (keyword === 'required' || keyword === 'dependentRequired' || keyword === 'dependencies') {
    const missingProperty = /(?:required property|does not have) "([^]*)"\.$/.exec(error)?.[1];
    return missingProperty === undefined
      ? { path, message: t.other }
      : { path: [...path, missingProperty], message: t.required };
  }
  if (keyword === 'type') {
    const actual = getValueAt(value, path);
    if (actual === null) return { path, message: t.required };
    const types = Array.isArray(keywordValue) ? keywordValue : [keywordValue];
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
        (keyword === 'enum' && Array.isArray(keywordValue) ? keywordValue : [keywordValue]).map((each) =>
          JSON.stringify(each),
        ),
      ),
    };
  if (keyword === 'minLength' || keyword === 'maxLength') {
    const actual = Number(/\((\d+) [<>]/.exec(error)?.[1]);
    return { path, message: (keyword === 'minLength' ? t.tooShort : t.tooLong)(actual, Number(keywordValue)) };
  }
  return { path, message: KEYWORD_MESSAGES[keyword]?.(String(keywordValue)) ?? t.other };
}

function getValueAt(root: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined,
    root,
  );
}

/** Parses a JSON Pointer, including the URI fragment form that the library uses (RFC 6901, section 6). */
export function parsePointer(pointer: string): string[] {
  return pointer
    .replace(/^#/, '')
    .split('/')
    .slice(1)
    .map((part) => decodePointerToken(part).replaceAll('~1', '/').replaceAll('~0', '~'));
}

function decodePointerToken(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function findLongestStringLength(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce(
    (longest, [name, each]) => Math.max(longest, name.length, findLongestStringLength(each)),
    0,
  );
}

/** Removes patterns that could take too long for strings of this length. */
function removeCostlyPatterns(schema: unknown, longestLength: number): unknown {
  if (Array.isArray(schema)) return schema.map((each) => removeCostlyPatterns(each, longestLength));
  if (!isObject(schema)) return schema;
  const keptEntries = Object.entries(schema).filter(
    ([keyword, value]) =>
      !(
        (keyword === 'pattern' && typeof value === 'string' && isCostlyPattern(value, longestLength)) ||
        (keyword === 'patternProperties' &&
          isObject(value) &&
          Object.keys(value).some((pattern) => isCostlyPattern(pattern, longestLength)))
      ),
  );
  return Object.fromEntries(
    keptEntries.map(([keyword, value]) => [
      keyword,
      keyword === 'enum' || keyword === 'const' || keyword === 'default'
        ? value
        : removeCostlyPatterns(value, longestLength),
    ]),
  );
}
