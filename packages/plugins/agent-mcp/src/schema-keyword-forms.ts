import type { Json } from '@countersign/core/plugin';
import { canonicalJson, isJsonObject, getSchemaKeywordKind } from '@countersign/model';

/** The required form of a keyword's value. */
interface KeywordForm {
  readonly expected: string;
  readonly isValid: (value: Json) => boolean;
  /** Converts the value to a form that every API accepts; `undefined` if the value has no effect. */
  readonly adapt?: (value: Json) => Json | undefined;
}

const TYPES: ReadonlySet<unknown> = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);

const text: KeywordForm = { expected: 'a string', isValid: (value) => typeof value === 'string' };
const flag: KeywordForm = { expected: 'true or false', isValid: (value) => typeof value === 'boolean' };
const number: KeywordForm = { expected: 'a number', isValid: (value) => typeof value === 'number' };
const count: KeywordForm = {
  expected: 'a non-negative integer',
  isValid: (value) => typeof value === 'number' && Number.isInteger(value) && value >= 0,
};
const list: KeywordForm = { expected: 'a list', isValid: Array.isArray };
const object: KeywordForm = { expected: 'an object', isValid: isJsonObject };
const alternatives: KeywordForm = {
  expected: 'a list of one or more schemas',
  isValid: (value) => Array.isArray(value) && value.length > 0,
};
/** An empty list allows anything. */
const schemaList: KeywordForm = {
  expected: 'a list of schemas',
  isValid: Array.isArray,
  adapt: (value) => (Array.isArray(value) && value.length === 0 ? undefined : value),
};
/** A boolean in draft 4 and earlier, where `minimum` or `maximum` is the bound. */
const exclusiveBound: KeywordForm = {
  expected: 'a number',
  isValid: (value) => typeof value === 'number' || typeof value === 'boolean',
};

/** Keywords that validate (JSON Schema 2020-12, Core 10 and 11, Validation 6), and those of earlier drafts. */
const ASSERTIONS: ReadonlyMap<string, KeywordForm> = new Map([
  [
    'type',
    {
      expected: `one or more of ${[...TYPES].join(', ')}`,
      isValid: (value) =>
        Array.isArray(value) ? value.length > 0 && value.every((each) => TYPES.has(each)) : TYPES.has(value),
      adapt: removeDuplicates,
    },
  ],
  ['enum', { ...list, adapt: removeDuplicates }],
  ['multipleOf', { expected: 'a number above 0', isValid: (value) => typeof value === 'number' && value > 0 }],
  ...forKeywords(number, ['minimum', 'maximum']),
  ...forKeywords(exclusiveBound, ['exclusiveMinimum', 'exclusiveMaximum']),
  ...forKeywords(count, ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties']),
  ...forKeywords(count, ['minContains', 'maxContains']),
  ...forKeywords(text, ['pattern', '$ref', '$dynamicRef', '$recursiveRef']),
  ['uniqueItems', flag],
  [
    'required',
    {
      expected: 'a list of names',
      // In draft 3, it belongs to the property itself; the requirements of the enclosing object are unknown here.
      isValid: (value) => typeof value === 'boolean' || isListOfNames(value),
      adapt: (value) => (typeof value === 'boolean' ? undefined : removeDuplicates(value)),
    },
  ],
  [
    'dependentRequired',
    {
      expected: 'an object of lists of names',
      isValid: (value) => isJsonObject(value) && Object.values(value).every(isListOfNames),
      adapt: removeDuplicatesInEach,
    },
  ],
  [
    'dependencies',
    {
      expected: 'an object of schemas and lists of names',
      isValid: (value) =>
        isJsonObject(value) && Object.values(value).every((each) => !Array.isArray(each) || isListOfNames(each)),
      adapt: removeDuplicatesInEach,
    },
  ],
  ...forKeywords(schemaList, ['allOf', 'prefixItems']),
  ...forKeywords(alternatives, ['anyOf', 'oneOf']),
  ...forKeywords(object, ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']),
]);

/** Keywords that only describe (JSON Schema 2020-12, Validation 7 to 9, Core 8.3) and do not affect validity. */
const ANNOTATIONS: ReadonlyMap<string, KeywordForm> = new Map([
  ...forKeywords(text, ['title', 'description', '$comment', 'format', 'contentEncoding', 'contentMediaType']),
  ...forKeywords(flag, ['deprecated', 'readOnly', 'writeOnly']),
  ['examples', list],
]);

/** Keywords for which `null` is an ordinary value. */
const NULLABLE: ReadonlySet<string> = new Set(['const', 'default']);

/** Returns whether a keyword is known. The value of an unknown keyword is data that only the server interprets. */
export function isKnownKeyword(keyword: string): boolean {
  return (
    [ASSERTIONS, ANNOTATIONS, NULLABLE].some((known) => known.has(keyword)) ||
    getSchemaKeywordKind(keyword, undefined) !== 'data'
  );
}

/**
 * Returns the value of a keyword in the form for language model APIs, which validate schemas against the metaschema;
 * `undefined` if the keyword is omitted. The values of unknown keywords are not inspected, nor are nested schemas,
 * which are read separately.
 *
 * @param pointer the location of the keyword
 * @throws {Error} if the meaning of the value is unclear
 */
export function readKeyword(keyword: string, value: Json, pointer: string): Json | undefined {
  // Some servers write `null` for absent keywords.
  if (value === null && !NULLABLE.has(keyword)) return undefined;
  const annotation = ANNOTATIONS.get(keyword);
  if (annotation !== undefined) return annotation.isValid(value) ? value : undefined;
  const assertion = ASSERTIONS.get(keyword);
  if (assertion === undefined) return value;
  if (!assertion.isValid(value)) throw createInvalidSchemaError(pointer, assertion.expected);
  return assertion.adapt === undefined ? value : assertion.adapt(value);
}

export function createInvalidSchemaError(pointer: string, expected: string): Error {
  return new Error(`its input schema is not valid at ${pointer.slice(0, 150)}: expected ${expected}`);
}

function forKeywords(form: KeywordForm, keywords: readonly string[]): readonly [string, KeywordForm][] {
  return keywords.map((keyword) => [keyword, form]);
}

function isListOfNames(value: Json): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

/** Removes duplicates, because some APIs require unique items. */
function removeDuplicates(value: Json): Json {
  return Array.isArray(value) ? [...new Map(value.map((each) => [canonicalJson(each), each])).values()] : value;
}

function removeDuplicatesInEach(value: Json): Json {
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, removeDuplicates(each)]))
    : value;
}
