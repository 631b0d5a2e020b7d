import type { Json } from '@countersign/core/plugin';
import { canonicalJson, isJsonObject, schemaKeywordKind } from '@countersign/model';

/** What the value of a keyword must be. */
interface Form {
  readonly expected: string;
  readonly fits: (value: Json) => boolean;
  /** The same in a form that every API takes; `undefined`: it says nothing. */
  readonly adapt?: (value: Json) => Json | undefined;
}

const TYPES: ReadonlySet<unknown> = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);

const text: Form = { expected: 'a text', fits: (value) => typeof value === 'string' };
const flag: Form = { expected: 'true or false', fits: (value) => typeof value === 'boolean' };
const number: Form = { expected: 'a number', fits: (value) => typeof value === 'number' };
const count: Form = {
  expected: 'a whole number, not negative',
  fits: (value) => typeof value === 'number' && Number.isInteger(value) && value >= 0,
};
const list: Form = { expected: 'a list', fits: Array.isArray };
const object: Form = { expected: 'an object', fits: isJsonObject };
const alternatives: Form = {
  expected: 'a list of one or more schemas',
  fits: (value) => Array.isArray(value) && value.length > 0,
};
/** All of no schemas allow anything. */
const conjunction: Form = {
  expected: 'a list of schemas',
  fits: Array.isArray,
  adapt: (value) => (Array.isArray(value) && value.length === 0 ? undefined : value),
};
/** A boolean in drafts before 2019-09, where the bound itself is another keyword. */
const exclusiveBound: Form = {
  expected: 'a number',
  fits: (value) => typeof value === 'number' || typeof value === 'boolean',
};

/** Keywords that say what fits (JSON Schema 2020-12, Core 10 and 11, Validation 6), and those of earlier drafts. */
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
      // In draft 3 it is said of the property itself; what its object requires is not known where it is read.
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

/** Keywords that only describe (JSON Schema 2020-12, Validation 7 to 9, Core 8.3): without them the same fits. */
const ANNOTATIONS: ReadonlyMap<string, Form> = new Map([
  ...all(text, ['title', 'description', '$comment', 'format', 'contentEncoding', 'contentMediaType']),
  ...all(flag, ['deprecated', 'readOnly', 'writeOnly']),
  ['examples', list],
]);

/** Keywords of which `null` is a value like others. */
const NULLABLE: ReadonlySet<string> = new Set(['const', 'default']);

/** Whether its value is not data that only its server knows. */
export function isKnownKeyword(keyword: string): boolean {
  return (
    [ASSERTIONS, ANNOTATIONS, NULLABLE].some((known) => known.has(keyword)) ||
    schemaKeywordKind(keyword, undefined) !== 'data'
  );
}

/**
 * The value of a keyword as model APIs take it, which check schemas against the metaschema; `undefined`: it is left out. What
 * an unknown keyword holds is not looked at, nor are the schemas in others, which come on their own.
 *
 * @param pointer where it is
 * @throws {Error} where it is not known what fits
 */
export function readKeyword(keyword: string, value: Json, pointer: string): Json | undefined {
  // Some servers write what they leave out.
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

/** Some APIs want what is listed to be listed once. */
function unique(value: Json): Json {
  return Array.isArray(value) ? [...new Map(value.map((each) => [canonicalJson(each), each])).values()] : value;
}

function uniqueInEach(value: Json): Json {
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, unique(each)]))
    : value;
}
