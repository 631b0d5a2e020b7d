import { canonicalJson, isJsonObject, type Json, type JsonObject } from '@countersign/model';
import { at } from './schema-names.js';

/** Keywords that APIs of models refuse at the top of the schema of a tool. */
const REFUSED = ['oneOf', 'anyOf', 'allOf', 'not', 'if', 'then', 'else', '$ref'] as const;
const MAX_DEPTH = 8;
/** Of what is said of a schema in words, in characters. */
const MAX_SAID = 2_000;

interface Flat {
  readonly properties: ReadonlyMap<string, readonly Json[]>;
  readonly required: ReadonlySet<string>;
  /** Whether other properties may be given. */
  readonly isOpen: boolean;
}

/**
 * A schema of an object without what APIs refuse at its top: the properties of all its parts, of which those are required
 * that all alternatives require. It lets more pass than the schema itself, which arguments are checked by later.
 *
 * @returns what the schema does not say any more, as words for the model; `null`: nothing
 */
export function flatSchema(schema: JsonObject): { readonly schema: JsonObject; readonly lost: string | null } {
  const parts = REFUSED.filter((keyword) => schema[keyword] !== undefined);
  if (parts.length === 0) return { schema, lost: null };
  const { properties, required, isOpen } = flatten(schema, schema, 0);
  const rest = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !isRefused(keyword)));
  const { additionalProperties, ...others } = rest;
  const flat: JsonObject = {
    ...others,
    type: 'object',
    properties: Object.fromEntries([...properties].map(([name, schemas]) => [name, oneOf(schemas)])),
    ...(required.size === 0 ? {} : { required: [...required] }),
    ...(isOpen || additionalProperties === undefined ? {} : { additionalProperties }),
  };
  const said = JSON.stringify(Object.fromEntries(parts.map((keyword) => [keyword, schema[keyword]])));
  const isShort = said.length <= MAX_SAID;
  return {
    schema: flat,
    lost: isShort
      ? `The arguments must also fit this JSON Schema: ${said}`
      : 'Not every combination of arguments is valid: what does not fit is answered with an error that says why.',
  };
}

function isRefused(keyword: string): boolean {
  return REFUSED.some((each) => each === keyword) || keyword === 'properties' || keyword === 'required';
}

function flatten(given: Json, root: JsonObject, depth: number): Flat {
  const schema = isJsonObject(given) && depth < MAX_DEPTH ? given : {};
  const own: Flat = {
    properties: new Map(
      Object.entries(isJsonObject(schema['properties']) ? schema['properties'] : {}).map(([name, each]) => [
        name,
        [each],
      ]),
    ),
    required: new Set(listOf(schema['required']).filter((name) => typeof name === 'string')),
    isOpen: schema['additionalProperties'] !== false,
  };
  const reference = schema['$ref'];
  const same = [...listOf(schema['allOf']), ...(typeof reference === 'string' ? [at(root, reference) ?? {}] : [])];
  const together = same.map((part) => flatten(part, root, depth + 1)).reduce(both, own);
  return (['anyOf', 'oneOf'] as const).reduce((flat, keyword) => {
    const [first, ...more] = listOf(schema[keyword]).map((part) => flatten(part, root, depth + 1));
    return first === undefined ? flat : both(flat, more.reduce(either, first));
  }, together);
}

function both(one: Flat, other: Flat): Flat {
  return {
    properties: joined(one.properties, other.properties),
    required: new Set([...one.required, ...other.required]),
    // What one part does not know, another one may.
    isOpen: one.isOpen || other.isOpen,
  };
}

function either(one: Flat, other: Flat): Flat {
  return {
    properties: joined(one.properties, other.properties),
    required: new Set([...one.required].filter((name) => other.required.has(name))),
    isOpen: one.isOpen || other.isOpen,
  };
}

function joined(one: Flat['properties'], other: Flat['properties']): Flat['properties'] {
  const all = new Map(one);
  for (const [name, schemas] of other) all.set(name, [...(all.get(name) ?? []), ...schemas]);
  return all;
}

function oneOf(schemas: readonly Json[]): Json {
  const different = [...new Map(schemas.map((schema) => [canonicalJson(schema), schema])).values()];
  const [first = {}, ...more] = different;
  return more.length === 0 ? first : { anyOf: different };
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
