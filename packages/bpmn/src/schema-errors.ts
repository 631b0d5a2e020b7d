import { isJsonObject, type Json, type JsonObject } from '@countersign/model';

const TYPES: ReadonlySet<Json> = new Set(['null', 'boolean', 'object', 'array', 'number', 'integer', 'string']);

/**
 * Keywords whose value is one schema. Those in `IN_PLACE_KEYWORDS` apply to the same value, the others to a part of it.
 */
const SCHEMA_KEYWORDS = [
  'not',
  'if',
  'then',
  'else',
  'items',
  'contains',
  'additionalProperties',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
];
const SCHEMA_LIST_KEYWORDS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const SCHEMA_MAP_KEYWORDS = ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'];
const IN_PLACE_KEYWORDS: ReadonlySet<string> = new Set([
  'not',
  'if',
  'then',
  'else',
  'allOf',
  'anyOf',
  'oneOf',
  'dependentSchemas',
]);

const MAX_PATTERN_LENGTH = 500;
/** Maximum number of schemas that may apply to one value. */
const MAX_EXPANDED_SCHEMAS = 10_000;

/**
 * Returns an error in a JSON Schema that the validator would find only later, or never. The validator has no
 * meta-schema: an unknown type allows no value, a wrong reference throws when it is reached, and a circular reference
 * overflows the stack.
 */
export function findSchemaError(root: JsonObject): string | undefined {
  const inPlaceEdges = new Map<JsonObject, JsonObject[]>();
  const pending: { readonly schema: Json; readonly pointer: string }[] = [{ schema: root, pointer: '' }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { schema, pointer } = next;
    if (typeof schema === 'boolean') continue;
    if (!isJsonObject(schema)) return `${pointer || '/'} is not a schema`;
    const error = findKeywordError(schema, pointer) ?? findReferenceError(root, schema, pointer);
    if (error !== undefined) return error;
    const children = listSubschemas(schema, pointer);
    if ('error' in children) return children.error;
    inPlaceEdges.set(
      schema,
      children.list
        .filter((child) => IN_PLACE_KEYWORDS.has(child.keyword))
        .map((child) => child.schema)
        .filter(isJsonObject),
    );
    pending.push(...children.list);
    const target = typeof schema['$ref'] === 'string' ? resolveReference(root, schema['$ref']) : undefined;
    if (isJsonObject(target)) inPlaceEdges.get(schema)?.push(target);
  }
  return findExpansionError(inPlaceEdges);
}

interface Subschema {
  readonly keyword: string;
  readonly schema: Json;
  readonly pointer: string;
}

function listSubschemas(
  schema: JsonObject,
  pointer: string,
): { readonly list: readonly Subschema[] } | { readonly error: string } {
  const list: Subschema[] = [];
  const add = (keyword: string, child: Json, path: string): void =>
    void list.push({ keyword, schema: child, pointer: `${pointer}/${path}` });
  for (const keyword of SCHEMA_KEYWORDS) {
    const value = schema[keyword];
    if (value !== undefined) add(keyword, value, keyword);
  }
  for (const keyword of SCHEMA_LIST_KEYWORDS) {
    const value = schema[keyword];
    if (value === undefined) continue;
    if (!Array.isArray(value)) return { error: `${pointer}/${keyword} is not a list of schemas` };
    for (const [index, child] of value.entries()) add(keyword, child, `${keyword}/${index}`);
  }
  for (const keyword of SCHEMA_MAP_KEYWORDS) {
    const value = schema[keyword];
    if (value === undefined) continue;
    if (!isJsonObject(value)) return { error: `${pointer}/${keyword} is not an object of schemas` };
    for (const [name, child] of Object.entries(value)) add(keyword, child, `${keyword}/${name}`);
  }
  return { list };
}

function findKeywordError(schema: JsonObject, pointer: string): string | undefined {
  const { type, required, pattern, patternProperties } = schema;
  if (type !== undefined && !(Array.isArray(type) ? type : [type]).every((name) => TYPES.has(name))) {
    return `${pointer}/type is not a type of JSON Schema`;
  }
  if (required !== undefined && !(Array.isArray(required) && required.every((name) => typeof name === 'string'))) {
    return `${pointer}/required is not a list of names`;
  }
  if (schema['enum'] !== undefined && !Array.isArray(schema['enum'])) return `${pointer}/enum is not a list`;
  const patterns = pattern === undefined ? [] : [pattern];
  if (isJsonObject(patternProperties)) patterns.push(...Object.keys(patternProperties));
  for (const text of patterns) {
    if (typeof text !== 'string' || text.length > MAX_PATTERN_LENGTH || !isRegularExpression(text)) {
      return `${pointer}: ${JSON.stringify(text).slice(0, 80)} is not a regular expression of at most ${MAX_PATTERN_LENGTH} characters`;
    }
  }
  return undefined;
}

function isRegularExpression(text: string): boolean {
  try {
    return new RegExp(text, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

/**
 * Returns an error in the reference of a schema. References must stay within the root schema, because external schemas
 * are never fetched.
 */
function findReferenceError(root: JsonObject, schema: JsonObject, pointer: string): string | undefined {
  for (const keyword of ['$id', '$anchor', '$dynamicRef', '$dynamicAnchor', '$recursiveRef', '$vocabulary']) {
    if (schema[keyword] !== undefined && !(keyword === '$id' && pointer === ''))
      return `${pointer}/${keyword} is not supported`;
  }
  const reference = schema['$ref'];
  if (reference === undefined) return undefined;
  if (typeof reference !== 'string' || resolveReference(root, reference) === undefined) {
    return `${pointer}/$ref ${JSON.stringify(reference).slice(0, 80)} does not refer to a schema (only "#" and "#/…" are supported)`;
  }
  return undefined;
}

/** Resolves a JSON Pointer in a URI fragment (RFC 6901); returns `undefined` if there is no value. */
function resolveReference(root: JsonObject, reference: string): Json | undefined {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  let current: Json = root;
  for (const part of reference.slice(2).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(current)) current = current[Number(key)] ?? null;
    else if (isJsonObject(current) && Object.hasOwn(current, key)) current = current[key] ?? null;
    else return undefined;
  }
  return isJsonObject(current) || typeof current === 'boolean' ? current : undefined;
}

/** Returns an error if the schemas that apply to the same value form a cycle or are too many. */
function findExpansionError(edges: ReadonlyMap<JsonObject, readonly JsonObject[]>): string | undefined {
  // Removes nodes without remaining incoming edges first (Kahn); cycles remain.
  const incoming = new Map<JsonObject, number>();
  for (const targets of edges.values()) {
    for (const target of targets) incoming.set(target, (incoming.get(target) ?? 0) + 1);
  }
  const order = [...edges.keys()].filter((schema) => !incoming.has(schema));
  for (let index = 0; index < order.length; index += 1) {
    for (const target of getTargets(edges, order[index])) {
      const remaining = (incoming.get(target) ?? 0) - 1;
      incoming.set(target, remaining);
      if (remaining === 0) order.push(target);
    }
  }
  if (order.length < edges.size) return 'a $ref refers back to itself without descending into a part of the value';
  const expandedSizes = new Map<JsonObject, number>();
  for (const schema of order.reverse()) {
    const size = getTargets(edges, schema).reduce((sum, target) => sum + (expandedSizes.get(target) ?? 0), 1);
    if (size > MAX_EXPANDED_SCHEMAS)
      return `references expand to more than ${MAX_EXPANDED_SCHEMAS} schemas for one value`;
    expandedSizes.set(schema, size);
  }
  return undefined;
}

function getTargets(
  edges: ReadonlyMap<JsonObject, readonly JsonObject[]>,
  schema: JsonObject | undefined,
): readonly JsonObject[] {
  return (schema === undefined ? undefined : edges.get(schema)) ?? [];
}
