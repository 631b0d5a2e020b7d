import { escapePointer, isJsonObject, type Json, type JsonObject, schemaKeywordKind } from '@countersign/model';
import type { ShownNames } from './shown-names.js';

/** Keywords that refer to or name parts in ways that model APIs do not support. */
const DROPPED: ReadonlySet<string> = new Set([
  ...['$id', '$schema', '$anchor', '$dynamicAnchor', '$dynamicRef', '$recursiveAnchor', '$recursiveRef', '$vocabulary'],
  ...['id', 'additionalItems'],
]);
/** Keywords whose member names are property names. */
const BY_PROPERTY: ReadonlySet<string> = new Set(['properties', 'dependentSchemas', 'dependentRequired']);
/** Keywords that APIs inspect and accept as booleans. */
const CLOSING: ReadonlySet<string> = new Set(['additionalProperties', 'unevaluatedProperties', 'unevaluatedItems']);
/** Keywords that contain arguments or parts of them. */
const ARGUMENTS = ['default', 'examples', 'const', 'enum'] as const;
/** Keywords that are dropped only if they are strings, because a property may have the same name. */
const TEXTS: ReadonlySet<string> = new Set(['id', '$id', '$schema']);

/**
 * Converts a tool's schema to the notation that model APIs accept: accepted names, references as pointers to existing
 * parts, and JSON Schema 2020-12 instead of the forms of earlier drafts. The time is linear in the size of the schema.
 */
export function shownSchema(root: JsonObject, names: ShownNames): JsonObject {
  /** New location of each part of the schema, by its old location. */
  const places = new Map<string, string>();
  const references: { readonly schema: JsonObject; readonly to: string }[] = [];
  const all: JsonObject[] = [];

  const one = (given: Json, from: string, to: string): Json => {
    places.set(from, to);
    if (given === false) return { not: {} };
    if (!isJsonObject(given)) return {};
    const shown: JsonObject = {};
    all.push(shown);
    for (const [keyword, value] of Object.entries(modern(given))) {
      const at = `${from}/${escapePointer(formerOf(keyword, given))}`;
      const kind = schemaKeywordKind(keyword, value);
      if (DROPPED.has(keyword) && !(TEXTS.has(keyword) && typeof value !== 'string')) continue;
      if (keyword === '$ref') {
        if (typeof value === 'string') references.push({ schema: shown, to: value });
      } else if (typeof value === 'boolean' && CLOSING.has(keyword)) shown[keyword] = value;
      else if (kind === 'schema') shown[keyword] = one(value, at, `${to}/${keyword}`);
      else if (kind === 'schemas' && Array.isArray(value))
        shown[keyword] = value.map((item, index) => one(item, `${at}/${index}`, `${to}/${keyword}/${index}`));
      else if (keyword === 'dependencies' && isJsonObject(value)) Object.assign(shown, split(shown, value, at, to));
      else if (kind === 'named' && isJsonObject(value)) shown[keyword] = named(keyword, value, at, `${to}/${keyword}`);
      else if (keyword === 'required' && Array.isArray(value))
        shown[keyword] = value.flatMap((name) => (typeof name === 'string' ? [names.add(name)] : []));
      else if (keyword === 'dependentRequired' && isJsonObject(value)) shown[keyword] = dependent(value, names);
      else if (kind === 'data') shown[keyword] = value;
    }
    // APIs require the item type of an array.
    if (shown['type'] === 'array' && shown['items'] === undefined && shown['prefixItems'] === undefined)
      shown['items'] = {};
    return shown;
  };

  const named = (keyword: string, schemas: JsonObject, from: string, to: string): JsonObject =>
    Object.fromEntries(
      Object.entries(schemas).map(([name, schema]) => {
        const shown = BY_PROPERTY.has(keyword) ? names.add(name) : name;
        const made = one(schema, `${from}/${escapePointer(name)}`, `${to}/${escapePointer(shown)}`);
        if (shown !== name && keyword === 'properties' && isJsonObject(made)) addOwnName(made, name);
        return [shown, made];
      }),
    );

  /** Splits `dependencies` of earlier drafts into the current keywords. Current keywords win if a schema has both. */
  const split = (
    { dependentRequired, dependentSchemas }: JsonObject,
    dependencies: JsonObject,
    from: string,
    to: string,
  ): JsonObject => {
    const entries = Object.entries(dependencies);
    const lists = dependent(Object.fromEntries(entries.filter(([, each]) => Array.isArray(each))), names);
    const schemas = Object.fromEntries(entries.filter(([, each]) => !Array.isArray(each)));
    const keyword = 'dependentSchemas';
    return {
      ...joined('dependentRequired', lists, dependentRequired),
      ...joined(keyword, named(keyword, schemas, from, `${to}/${keyword}`), dependentSchemas),
    };
  };

  const shown = one(root, '', '') as JsonObject;
  for (const { schema, to } of references) {
    const place = places.get(pointerOf(to));
    // A reference without a target allows anything.
    if (place !== undefined) schema['$ref'] = `#${place.split('/').map(encoded).join('/')}`;
  }
  // All names are known only now.
  if (!names.isEmpty) for (const each of all) useShownNames(each, names);
  return shown;
}

/**
 * Modernizes forms of drafts before 2019-09: a list of items, boolean bounds and boolean requirements. Puts
 * `dependencies` last. Omits empty lists, because some APIs refuse them.
 */
function modern(schema: JsonObject): JsonObject {
  const { items, additionalItems, exclusiveMinimum, exclusiveMaximum, minimum, maximum, ...rest } = schema;
  const { enum: values, required, dependencies, ...others } = rest;
  return {
    ...others,
    ...(isEmpty(values) ? { not: {} } : member('enum', values)),
    ...(Array.isArray(items)
      ? { ...(isEmpty(items) ? {} : { prefixItems: items }), ...member('items', additionalItems) }
      : member('items', items)),
    ...bound('minimum', minimum, 'exclusiveMinimum', exclusiveMinimum),
    ...bound('maximum', maximum, 'exclusiveMaximum', exclusiveMaximum),
    ...(Array.isArray(required) ? { required } : {}),
    ...member('dependencies', dependencies),
  };
}

/** Returns the keyword of the original schema that a current keyword comes from. */
function formerOf(keyword: string, { items }: JsonObject): string {
  if (!Array.isArray(items)) return keyword;
  return keyword === 'prefixItems' ? 'items' : keyword === 'items' ? 'additionalItems' : keyword;
}

function isEmpty(value: Json | undefined): boolean {
  return Array.isArray(value) && value.length === 0;
}

function member(keyword: string, value: Json | undefined): JsonObject {
  return value === undefined ? {} : { [keyword]: value };
}

function bound(name: string, limit: Json | undefined, exclusive: string, given: Json | undefined): JsonObject {
  if (typeof given === 'boolean') return limit === undefined ? {} : given ? { [exclusive]: limit } : { [name]: limit };
  return { ...member(name, limit), ...member(exclusive, given) };
}

/** Merges two sets of members under a keyword. The second set wins; returns nothing if both are empty. */
function joined(keyword: string, members: JsonObject, own: Json | undefined): JsonObject {
  const all = { ...members, ...(isJsonObject(own) ? own : {}) };
  return Object.keys(all).length === 0 ? {} : { [keyword]: all };
}

function dependent(given: JsonObject, names: ShownNames): JsonObject {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      names.add(name),
      Array.isArray(value) ? value.map((each) => (typeof each === 'string' ? names.add(each) : each)) : value,
    ]),
  );
}

function addOwnName(schema: JsonObject, own: string): void {
  const { description } = schema;
  const said = `Its own name is ${JSON.stringify(own)}.`;
  schema['description'] = typeof description === 'string' ? `${said} ${description}` : said;
}

function useShownNames(schema: JsonObject, names: ShownNames): void {
  // Its constraints do not apply to the replaced names.
  delete schema['propertyNames'];
  for (const keyword of ARGUMENTS) {
    const given = schema[keyword];
    if (given !== undefined) schema[keyword] = names.toShown(given);
  }
}

/** Encodes a part of a URI fragment. Keeps "$", which is allowed there, because not every reader decodes it. */
function encoded(part: string): string {
  return encodeURIComponent(part).replaceAll('%24', '$');
}

/** Returns the pointer of a reference from the root, percent-decoded (RFC 6901, 6). */
function pointerOf(reference: string): string {
  try {
    return decodeURIComponent(reference.replace(/^#/, ''));
  } catch {
    return reference.replace(/^#/, '');
  }
}
