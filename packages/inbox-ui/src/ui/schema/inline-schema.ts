import { isObject, type Obj } from './json-object.js';

/** Schemas of a form, all in all, once each reference is replaced by what it names. */
const MAX_SCHEMAS = 2_000;
const DEEPEST = 24;
/** Length of the schema as text. */
const LONGEST = 200_000;

const ONE = new Set([
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
const LISTS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const MAPS = new Set(['properties', 'patternProperties', 'dependentSchemas']);
/** Kept nowhere: what was named is in its place now. */
const NAMES = new Set(['$schema', '$defs', 'definitions', '$comment']);
/** Change what a name means, or mean something else in each draft. */
const UNSUPPORTED = new Set([
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
const ANNOTATIONS = new Set(['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly']);
const FORBIDDEN_NAMES = new Set(['__proto__', 'constructor', 'prototype']);

class NotInlined extends Error {}

/**
 * A JSON Schema (2020-12) without references: each local `$ref` is replaced by what it names. Nothing is ever fetched.
 * Whoever wrote the schema may mean harm (a model that asks, a tool that somebody else runs): so the work is bounded.
 *
 * @returns `undefined` for a schema that refers to itself or elsewhere, that is too big or too deep, that names what objects
 * inherit from, or that is none.
 */
export function inlineSchema(schema: unknown): Obj | undefined {
  try {
    if (!isObject(schema) || JSON.stringify(schema).length > LONGEST) return undefined;
    const { $id: _id, ...root } = schema;
    let left = MAX_SCHEMAS;
    const inline = (part: unknown, depth: number, within: readonly string[]): unknown => {
      if (typeof part === 'boolean') return part;
      left -= 1;
      if (!isObject(part) || left < 0 || depth > DEEPEST) throw new NotInlined();
      const { $ref: reference, ...rest } = part;
      const copy: Record<string, unknown> = {};
      for (const [keyword, value] of Object.entries(rest)) {
        if (NAMES.has(keyword)) continue;
        if (UNSUPPORTED.has(keyword) || FORBIDDEN_NAMES.has(keyword)) throw new NotInlined();
        copy[keyword] = inlineKeyword(keyword, value, (each) => inline(each, depth + 1, within));
      }
      if (reference === undefined) return copy;
      if (typeof reference !== 'string' || within.includes(reference)) throw new NotInlined();
      const named = inline(resolve(root, reference), depth + 1, [...within, reference]);
      if (Object.keys(copy).length === 0) return named;
      return isObject(named) && Object.keys(copy).every((keyword) => ANNOTATIONS.has(keyword))
        ? { ...named, ...copy }
        : { allOf: [named], ...copy };
    };
    return inline(root, 0, ['#']) as Obj;
  } catch (error) {
    // A RangeError: nested deeper than there is stack.
    if (error instanceof NotInlined || error instanceof RangeError) return undefined;
    throw error;
  }
}

function inlineKeyword(keyword: string, value: unknown, inline: (schema: unknown) => unknown): unknown {
  if (ONE.has(keyword) && !Array.isArray(value)) return inline(value);
  if (LISTS.has(keyword)) {
    if (!Array.isArray(value)) throw new NotInlined();
    return value.map(inline);
  }
  if (MAPS.has(keyword)) {
    if (!isObject(value) || Object.keys(value).some((name) => FORBIDDEN_NAMES.has(name))) throw new NotInlined();
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inline(each)]));
  }
  if (keyword === 'items') throw new NotInlined();
  return value;
}

/** What a local reference (`#/$defs/…`, RFC 6901 as a URI fragment) names. */
function resolve(root: Obj, reference: string): unknown {
  if (!reference.startsWith('#/')) throw new NotInlined();
  let at: unknown = root;
  for (const part of reference.slice(2).split('/')) {
    const name = decode(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (!isObject(at) || !Object.hasOwn(at, name)) throw new NotInlined();
    at = at[name];
  }
  return at;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new NotInlined();
  }
}
