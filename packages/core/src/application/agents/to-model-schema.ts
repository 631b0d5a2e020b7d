import { escapePointer, isJsonObject, type Json, type JsonObject, getSchemaKeywordKind } from '@countersign/model';
import type { ModelPropertyNames } from './model-property-names.js';

/** Keywords that name or reference parts of a schema in ways that model APIs do not support. */
const DROPPED_KEYWORDS: ReadonlySet<string> = new Set([
  ...['$id', '$schema', '$anchor', '$dynamicAnchor', '$dynamicRef', '$recursiveAnchor', '$recursiveRef', '$vocabulary'],
  ...['id', 'additionalItems'],
]);
/** Keywords whose member names are property names. */
const KEYED_BY_PROPERTY: ReadonlySet<string> = new Set(['properties', 'dependentSchemas', 'dependentRequired']);
/** Keywords whose boolean values APIs accept. */
const CLOSING_KEYWORDS: ReadonlySet<string> = new Set([
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
]);
/** Keywords that contain arguments or parts of them. */
const ARGUMENT_KEYWORDS = ['default', 'examples', 'const', 'enum'] as const;
/** Keywords that are dropped only if they are strings, because a property may have the same name. */
const STRING_KEYWORDS: ReadonlySet<string> = new Set(['id', '$id', '$schema']);

/**
 * Converts a tool's schema to the notation that model APIs accept: accepted names, references as pointers to existing
 * parts, and JSON Schema 2020-12 instead of the forms of earlier drafts. The time is linear in the size of the schema.
 */
export function toModelSchema(root: JsonObject, names: ModelPropertyNames): JsonObject {
  /** New location of each part of the schema, by its old location. */
  const modelPointers = new Map<string, string>();
  const references: { readonly schema: JsonObject; readonly to: string }[] = [];
  const modelSchemas: JsonObject[] = [];

  const convertSchema = (source: Json, from: string, to: string): Json => {
    modelPointers.set(from, to);
    if (source === false) return { not: {} };
    if (!isJsonObject(source)) return {};
    const converted: JsonObject = {};
    modelSchemas.push(converted);
    for (const [keyword, value] of Object.entries(toCurrentDraft(source))) {
      const pointer = `${from}/${escapePointer(getSourceKeyword(keyword, source))}`;
      const kind = getSchemaKeywordKind(keyword, value);
      if (DROPPED_KEYWORDS.has(keyword) && !(STRING_KEYWORDS.has(keyword) && typeof value !== 'string')) continue;
      if (keyword === '$ref') {
        if (typeof value === 'string') references.push({ schema: converted, to: value });
      } else if (typeof value === 'boolean' && CLOSING_KEYWORDS.has(keyword)) converted[keyword] = value;
      else if (kind === 'schema') converted[keyword] = convertSchema(value, pointer, `${to}/${keyword}`);
      else if (kind === 'schemas' && Array.isArray(value))
        converted[keyword] = value.map((item, index) =>
          convertSchema(item, `${pointer}/${index}`, `${to}/${keyword}/${index}`),
        );
      else if (keyword === 'dependencies' && isJsonObject(value))
        Object.assign(converted, splitDependencies(converted, value, pointer, to));
      else if (kind === 'named' && isJsonObject(value))
        converted[keyword] = convertNamedSchemas(keyword, value, pointer, `${to}/${keyword}`);
      else if (keyword === 'required' && Array.isArray(value))
        converted[keyword] = value.flatMap((name) => (typeof name === 'string' ? [names.add(name)] : []));
      else if (keyword === 'dependentRequired' && isJsonObject(value))
        converted[keyword] = renameDependencies(value, names);
      else if (kind === 'data') converted[keyword] = value;
    }
    // APIs require the item type of an array.
    if (converted['type'] === 'array' && converted['items'] === undefined && converted['prefixItems'] === undefined)
      converted['items'] = {};
    return converted;
  };

  const convertNamedSchemas = (keyword: string, schemas: JsonObject, from: string, to: string): JsonObject =>
    Object.fromEntries(
      Object.entries(schemas).map(([name, schema]) => {
        const modelName = KEYED_BY_PROPERTY.has(keyword) ? names.add(name) : name;
        const convertedSchema = convertSchema(
          schema,
          `${from}/${escapePointer(name)}`,
          `${to}/${escapePointer(modelName)}`,
        );
        if (modelName !== name && keyword === 'properties' && isJsonObject(convertedSchema))
          addOriginalName(convertedSchema, name);
        return [modelName, convertedSchema];
      }),
    );

  /** Splits `dependencies` of earlier drafts into the current keywords, which take precedence if a schema has both. */
  const splitDependencies = (
    { dependentRequired, dependentSchemas }: JsonObject,
    dependencies: JsonObject,
    from: string,
    to: string,
  ): JsonObject => {
    const entries = Object.entries(dependencies);
    const lists = renameDependencies(Object.fromEntries(entries.filter(([, each]) => Array.isArray(each))), names);
    const schemas = Object.fromEntries(entries.filter(([, each]) => !Array.isArray(each)));
    const keyword = 'dependentSchemas';
    return {
      ...mergeMembers('dependentRequired', lists, dependentRequired),
      ...mergeMembers(keyword, convertNamedSchemas(keyword, schemas, from, `${to}/${keyword}`), dependentSchemas),
    };
  };

  const modelSchema = convertSchema(root, '', '') as JsonObject;
  for (const { schema, to } of references) {
    const target = modelPointers.get(decodeReference(to));
    // A reference without a target is dropped, so it allows anything.
    if (target !== undefined) schema['$ref'] = `#${target.split('/').map(encodePointerPart).join('/')}`;
  }
  // The arguments can be renamed only now, because all names are known.
  if (!names.isEmpty) for (const each of modelSchemas) renameArguments(each, names);
  return modelSchema;
}

/**
 * Converts forms of drafts before 2020-12 (`items` as a list, boolean bounds) and drops a boolean `required`. Puts
 * `dependencies` last. Omits empty lists, because some APIs refuse them.
 */
function toCurrentDraft(schema: JsonObject): JsonObject {
  const { items, additionalItems, exclusiveMinimum, exclusiveMaximum, minimum, maximum, ...rest } = schema;
  const { enum: values, required, dependencies, ...others } = rest;
  return {
    ...others,
    ...(isEmptyArray(values) ? { not: {} } : toOptionalMember('enum', values)),
    ...(Array.isArray(items)
      ? { ...(isEmptyArray(items) ? {} : { prefixItems: items }), ...toOptionalMember('items', additionalItems) }
      : toOptionalMember('items', items)),
    ...toBounds('minimum', minimum, 'exclusiveMinimum', exclusiveMinimum),
    ...toBounds('maximum', maximum, 'exclusiveMaximum', exclusiveMaximum),
    ...(Array.isArray(required) ? { required } : {}),
    ...toOptionalMember('dependencies', dependencies),
  };
}

/** Returns the keyword of the original schema that a current keyword comes from. */
function getSourceKeyword(keyword: string, { items }: JsonObject): string {
  if (!Array.isArray(items)) return keyword;
  return keyword === 'prefixItems' ? 'items' : keyword === 'items' ? 'additionalItems' : keyword;
}

function isEmptyArray(value: Json | undefined): boolean {
  return Array.isArray(value) && value.length === 0;
}

function toOptionalMember(keyword: string, value: Json | undefined): JsonObject {
  return value === undefined ? {} : { [keyword]: value };
}

function toBounds(
  name: string,
  limit: Json | undefined,
  exclusiveName: string,
  exclusiveLimit: Json | undefined,
): JsonObject {
  if (typeof exclusiveLimit === 'boolean')
    return limit === undefined ? {} : exclusiveLimit ? { [exclusiveName]: limit } : { [name]: limit };
  return { ...toOptionalMember(name, limit), ...toOptionalMember(exclusiveName, exclusiveLimit) };
}

/** Merges two sets of members under a keyword; the second takes precedence. Returns `{}` if both are empty. */
function mergeMembers(keyword: string, members: JsonObject, currentMembers: Json | undefined): JsonObject {
  const all = { ...members, ...(isJsonObject(currentMembers) ? currentMembers : {}) };
  return Object.keys(all).length === 0 ? {} : { [keyword]: all };
}

function renameDependencies(dependencies: JsonObject, names: ModelPropertyNames): JsonObject {
  return Object.fromEntries(
    Object.entries(dependencies).map(([name, value]) => [
      names.add(name),
      Array.isArray(value) ? value.map((each) => (typeof each === 'string' ? names.add(each) : each)) : value,
    ]),
  );
}

function addOriginalName(schema: JsonObject, originalName: string): void {
  const { description } = schema;
  const sentence = `The original property name is ${JSON.stringify(originalName)}.`;
  schema['description'] = typeof description === 'string' ? `${sentence} ${description}` : sentence;
}

function renameArguments(schema: JsonObject, names: ModelPropertyNames): void {
  // The constraints of `propertyNames` do not apply to the replaced names.
  delete schema['propertyNames'];
  for (const keyword of ARGUMENT_KEYWORDS) {
    const value = schema[keyword];
    if (value !== undefined) schema[keyword] = names.toModelNames(value);
  }
}

/** Encodes a part of a URI fragment. Does not encode "$", which is allowed, because not every parser decodes it. */
function encodePointerPart(part: string): string {
  return encodeURIComponent(part).replaceAll('%24', '$');
}

/** Returns the pointer of a reference from the root, percent-decoded (RFC 6901, 6). */
function decodeReference(reference: string): string {
  try {
    return decodeURIComponent(reference.replace(/^#/, ''));
  } catch {
    return reference.replace(/^#/, '');
  }
}
