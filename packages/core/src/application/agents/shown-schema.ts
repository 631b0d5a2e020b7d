import { escapePointer, isJsonObject, type Json, type JsonObject, schemaKeywordKind } from '@countersign/model';
import type { ShownNames } from './shown-names.js';

/** Keywords that refer to or name parts in ways that APIs of models don't know. */
const DROPPED: ReadonlySet<string> = new Set([
  ...['$id', '$schema', '$anchor', '$dynamicAnchor', '$dynamicRef', '$recursiveAnchor', '$recursiveRef', '$vocabulary'],
  ...['id', 'additionalItems'],
]);
/** Keywords whose members are named by properties. */
const BY_PROPERTY: ReadonlySet<string> = new Set(['properties', 'dependentSchemas', 'dependentRequired']);
/** Keywords that APIs look at, and know as booleans. */
const CLOSING: ReadonlySet<string> = new Set(['additionalProperties', 'unevaluatedProperties', 'unevaluatedItems']);
/** Keywords that hold arguments, or what is in them. */
const ARGUMENTS = ['default', 'examples', 'const', 'enum'] as const;
/** Of an id that is dropped: a property may be called so, and then it is no text. */
const TEXTS: ReadonlySet<string> = new Set(['id', '$id', '$schema']);

/**
 * A schema of a tool in the notation that APIs of models take: names that they take, references that are pointers to what is
 * there, and the forms of JSON Schema 2020-12 where a server has those of drafts before it. It takes no longer than the schema
 * is large.
 */
export function shownSchema(root: JsonObject, names: ShownNames): JsonObject {
  /** Where each part of the schema is afterwards, by where it was. */
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
    // APIs want to know what a list holds.
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

  /** What `dependencies` of earlier drafts are now. Where a schema has both, those of today hold. */
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
    // What leads nowhere allows anything.
    if (place !== undefined) schema['$ref'] = `#${place.split('/').map(encoded).join('/')}`;
  }
  // Now all names are known.
  if (!names.isEmpty) for (const each of all) useShownNames(each, names);
  return shown;
}

/**
 * Forms of drafts before 2019-09: a list of items, bounds and requirements that are booleans; what depends on properties comes
 * last. Some APIs take no empty lists.
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

/** The keyword of a schema that its server has instead of one of today. */
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

/** The members of both under a keyword, of which the second ones count; nothing where there are none. */
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
  // What it says of names does not hold for those that are shown.
  delete schema['propertyNames'];
  for (const keyword of ARGUMENTS) {
    const given = schema[keyword];
    if (given !== undefined) schema[keyword] = names.toShown(given);
  }
}

/** As in the fragment of a URI, which "$" may stand in: not every reader decodes it. */
function encoded(part: string): string {
  return encodeURIComponent(part).replaceAll('%24', '$');
}

/** The pointer of a reference from the root (RFC 6901, 6), decoded but for its own escapes. */
function pointerOf(reference: string): string {
  try {
    return decodeURIComponent(reference.replace(/^#/, ''));
  } catch {
    return reference.replace(/^#/, '');
  }
}
