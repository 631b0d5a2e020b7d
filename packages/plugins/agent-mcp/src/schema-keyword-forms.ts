import type { Json } from '@countersign/core/plugin';
import { canonicalJson, isJsonObject, schemaKeywordKind } from '@countersign/model';

/** The required form of a keyword's value. */
interface Form {
  readonly expected: string;
  readonly fits: (value: Json) => boolean;
  /** Converts the value to a form that every API accepts; `undefined` if the value has no effect. */
  readonly adapt?: (value: Json) => Json | undefined;
}

const TYPES: ReadonlySet<unknown> = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);

const text: Form = { expected: 'a text', fits: (value) => typeof value === 'string' };
const flag: Form = { expected: 'true or false', fits: (value) => typeof value === 'boolean' };
const number: Form = { expected: 'a number', fits: (value) => typeof value === 'number' };
const count: Form = {
  expected: 'a non-negative integer',
  fits: (value) => typeof value === 'number' && Number.isInteger(value) && value >= 0,
};
const list: Form = { expected: 'a list', fits: Array.isArray };
const object: Form = { expected: 'an object', fits: isJsonObject };
const alternatives: Form = {
  expected: 'a list of one or more schemas',
  fits: (value) => Array.isArray(value) && value.length > 0,
};
/** An empty conjunction allows anything. */
const conjunction: Form = {
  expected: 'a list of schemas',
  fits: Array.isArray,
  adapt: (value) => (Array.isArray(value) && value.length === 0 ? undefined : value),
};
/** A boolean in drafts before 2019-09, where another keyword holds the bound. */
const exclusiveBound: Form = {
  expected: 'a number',
  fits: (value) => typeof value === 'number' || typeof value === 'boolean',
};

/** Keywords that validate (JSON Schema 2020-12, Core 10 and 11, Validation 6), and those of earlier drafts. */
const ASSERTIONS: ReadonlyMap<string, Form> = new Map([
  [
    'type',
    {
      expected: `one or more of ${[...TYPES].join(', ')}`,
      fits: (value) =>
        Array.isArray(value) ? value.length > 0 && value.every((each) => TYPES.has(each)) : TYPES.has(value),
      adapt: unique,
    },
  ],
  ['enum', { ...list, adapt: unique }],
  ['multipleOf', { expected: 'a number above 0', fits: (value) => typeof value === 'number' && value > 0 }],
  ...all(number, ['minimum', 'maximum']),
  ...all(exclusiveBound, ['exclusiveMinimum', 'exclusiveMaximum']),
  ...all(count, ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties']),
  ...all(count, ['minContains', 'maxContains']),
  ...all(text, ['pattern', '$ref', '$dynamicRef', '$recursiveRef']),
  ['uniqueItems', flag],
  [
    'required',
    {
      expected: 'a list of names',
      // In draft 3, it belongs to the property itself; the requirements of the enclosing object are unknown here.
      fits: (value) => typeof value === 'boolean' || isListOfNames(value),
      adapt: (value) => (typeof value === 'boolean' ? undefined : unique(value)),
    },
  ],
  [
    'dependentRequired',
    {
      expected: 'an object of lists of names',
      fits: (value) => isJsonObject(value) && Object.values(value).every(isListOfNames),
      adapt: uniqueInEach,
    },
  ],
  [
    'dependencies',
    {
      expected: 'an object of schemas and lists of names',
      fits: (value) =>
        isJsonObject(value) && Object.values(value).every((each) => !Array.isArray(each) || isListOfNames(each)),
      adapt: uniqueInEach,
    },
  ],
  ...all(conjunction, ['allOf', 'prefixItems']),
  ...all(alternatives, ['anyOf', 'oneOf']),
  ...all(object, ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']),
]);

/** Keywords that only describe (JSON Schema 2020-12, Validation 7 to 9, Core 8.3) and do not affect validity. */
const ANNOTATIONS: ReadonlyMap<string, Form> = new Map([
  ...all(text, ['title', 'description', '$comment', 'format', 'contentEncoding', 'contentMediaType']),
  ...all(flag, ['deprecated', 'readOnly', 'writeOnly']),
  ['examples', list],
]);

/** Keywords for which `null` is an ordinary value. */
const NULLABLE: ReadonlySet<string> = new Set(['const', 'default']);

/** Returns whether a keyword is known. The value of an unknown keyword is data that only the server interprets. */
export function isKnownKeyword(keyword: string): boolean {
  return (
    [ASSERTIONS, ANNOTATIONS, NULLABLE].some((known) => known.has(keyword)) ||
    schemaKeywordKind(keyword, undefined) !== 'data'
  );
}

/**
 * Returns the value of a keyword in the form for model APIs, which validate schemas against the metaschema; `undefined`
 * if the keyword is omitted. The values of unknown keywords are not inspected, nor are nested schemas, which are read
 * separately.
 *
 * @param pointer the location of the keyword
 * @throws {Error} if the meaning of the value is unclear
 */
export function readKeyword(keyword: string, value: Json, pointer: string): Json | undefined {
  // Some servers write `null` for absent keywords.
  if (value === null && !NULLABLE.has(keyword)) return undefined;
  const annotation = ANNOTATIONS.get(keyword);
  if (annotation !== undefined) return annotation.fits(value) ? value : undefined;
  const assertion = ASSERTIONS.get(keyword);
  if (assertion === undefined) return value;
  if (!assertion.fits(value)) throw invalidSchema(pointer, assertion.expected);
  return assertion.adapt === undefined ? value : assertion.adapt(value);
}

export function invalidSchema(pointer: string, expected: string): Error {
  return new Error(`its input schema is not valid at ${pointer.slice(0, 150)}: expected ${expected}`);
}

function all(form: Form, keywords: readonly string[]): readonly [string, Form][] {
  return keywords.map((keyword) => [keyword, form]);
}

function isListOfNames(value: Json): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

/** Removes duplicates, because some APIs require unique items. */
function unique(value: Json): Json {
  return Array.isArray(value) ? [...new Map(value.map((each) => [canonicalJson(each), each])).values()] : value;
}

function uniqueInEach(value: Json): Json {
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, unique(each)]))
    : value;
}
