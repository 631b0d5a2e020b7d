import { isObject, type Obj } from './json-object.js';

/** Maximum number of schemas in a form after references are replaced by their targets. */
const MAX_SCHEMAS = 2_000;
const DEEPEST = 24;
/** Maximum length of the schema as text. */
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
/** Removed, because their targets have been inlined. */
const NAMES = new Set(['$schema', '$defs', 'definitions', '$comment']);
/** Keywords that change the meaning of a name, or differ between drafts. */
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
 * Returns a JSON Schema (2020-12) with each local `$ref` replaced by its target. Nothing is ever fetched. The schema is
 * untrusted (written by a language model or a third-party tool), so the work is bounded.
 *
 * @returns `undefined` for a schema that is invalid, too big or too deep, refers to itself or elsewhere, or uses names
 * of inherited object members
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
    // RangeError: nested deeper than the call stack.
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

/** Returns the target of a local reference (`#/$defs/…`, RFC 6901 as a URI fragment). */
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
