import { isObject, type ObjectValue } from './json-object.js';

/** Maximum number of schemas in a form after references are replaced by their targets. */
const MAX_SCHEMAS = 2_000;
const MAX_DEPTH = 24;
/** Maximum length of the schema as text. */
const MAX_TEXT_LENGTH = 200_000;

const SCHEMA_KEYWORDS = new Set([
  'additionalProperties',
  'contains',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]);
const SCHEMA_LIST_KEYWORDS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const SCHEMA_MAP_KEYWORDS = new Set(['properties', 'patternProperties', 'dependentSchemas']);
/**
 * Keywords to remove: definitions, which are inlined where they are used, and keywords without effect on validation.
 */
const DROPPED_KEYWORDS = new Set(['$schema', '$defs', 'definitions', '$comment']);
/** Keywords that change the meaning of a name, or differ between drafts. */
const UNSUPPORTED_KEYWORDS = new Set([
  '$id',
  'id',
  '$anchor',
  '$dynamicRef',
  '$dynamicAnchor',
  '$recursiveRef',
  '$recursiveAnchor',
  '$vocabulary',
  'dependencies',
  'additionalItems',
]);
const ANNOTATION_KEYWORDS = new Set([
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
]);
const FORBIDDEN_NAMES = new Set(['__proto__', 'constructor', 'prototype']);

class UnsupportedSchemaError extends Error {}

/**
 * Returns a JSON Schema (2020-12) with each local `$ref` replaced by its target. Nothing is ever fetched. The schema is
 * untrusted (written by a language model or a third-party tool), so the work is bounded.
 *
 * @returns `undefined` for a schema that is invalid, too big or too deep, refers to itself or to another document, or
 *   uses names of inherited object members
 */
export function inlineSchema(schema: unknown): ObjectValue | undefined {
  try {
    if (!isObject(schema) || JSON.stringify(schema).length > MAX_TEXT_LENGTH) return undefined;
    const { $id: _id, ...root } = schema;
    let remainingSchemas = MAX_SCHEMAS;
    const inline = (part: unknown, depth: number, openReferences: readonly string[]): unknown => {
      if (typeof part === 'boolean') return part;
      remainingSchemas -= 1;
      if (!isObject(part) || remainingSchemas < 0 || depth > MAX_DEPTH) throw new UnsupportedSchemaError();
      const { $ref: reference, ...rest } = part;
      const copy: Record<string, unknown> = {};
      for (const [keyword, value] of Object.entries(rest)) {
        if (DROPPED_KEYWORDS.has(keyword)) continue;
        if (UNSUPPORTED_KEYWORDS.has(keyword) || FORBIDDEN_NAMES.has(keyword)) throw new UnsupportedSchemaError();
        copy[keyword] = inlineKeyword(keyword, value, (each) => inline(each, depth + 1, openReferences));
      }
      if (reference === undefined) return copy;
      if (typeof reference !== 'string' || openReferences.includes(reference)) throw new UnsupportedSchemaError();
      const target = inline(resolveReference(root, reference), depth + 1, [...openReferences, reference]);
      if (Object.keys(copy).length === 0) return target;
      return isObject(target) && Object.keys(copy).every((keyword) => ANNOTATION_KEYWORDS.has(keyword))
        ? { ...target, ...copy }
        : { allOf: [target], ...copy };
    };
    return inline(root, 0, ['#']) as ObjectValue;
  } catch (error) {
    // RangeError: nested deeper than the call stack.
    if (error instanceof UnsupportedSchemaError || error instanceof RangeError) return undefined;
    throw error;
  }
}

function inlineKeyword(keyword: string, value: unknown, inline: (schema: unknown) => unknown): unknown {
  if (SCHEMA_KEYWORDS.has(keyword) && !Array.isArray(value)) return inline(value);
  if (SCHEMA_LIST_KEYWORDS.has(keyword)) {
    if (!Array.isArray(value)) throw new UnsupportedSchemaError();
    return value.map(inline);
  }
  if (SCHEMA_MAP_KEYWORDS.has(keyword)) {
    if (!isObject(value) || Object.keys(value).some((name) => FORBIDDEN_NAMES.has(name)))
      throw new UnsupportedSchemaError();
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inline(each)]));
  }
  if (keyword === 'items') throw new UnsupportedSchemaError();
  return value;
}

/** Returns the target of a local reference (`#/$defs/…`, RFC 6901 as a URI fragment). */
function resolveReference(root: ObjectValue, reference: string): unknown {
  if (!reference.startsWith('#/')) throw new UnsupportedSchemaError();
  let current: unknown = root;
  for (const part of reference.slice(2).split('/')) {
    const name = decodePointerToken(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (!isObject(current) || !Object.hasOwn(current, name)) throw new UnsupportedSchemaError();
    current = current[name];
  }
  return current;
}

function decodePointerToken(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new UnsupportedSchemaError();
  }
}
