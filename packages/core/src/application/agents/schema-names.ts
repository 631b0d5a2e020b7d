import { isJsonObject, type Json, type JsonObject, sha256Hex } from '@countersign/model';

/** What APIs of models take as the name of a property. */
const TAKEN = /^[A-Za-z0-9_.-]{1,64}$/;
const MAX_PLAIN = 55;
/** Keywords that hold schemas of the same value. */
const SAME: readonly string[] = ['allOf', 'anyOf', 'oneOf'];
const CONDITIONS: readonly string[] = ['if', 'then', 'else', 'not'];
/** Keywords whose values are data, whatever they look like. */
const DATA: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'example', 'examples']);
const MAX_SCHEMAS = 1_000;

/**
 * The name of a property as models are shown it: as it is where APIs take it (`filter[name]` is none that they take), otherwise
 * a name that depends on nothing else, so that it is the same wherever the property occurs.
 */
export function shownName(name: string): string {
  if (TAKEN.test(name)) return name;
  return `${name.replaceAll(/[^A-Za-z0-9_.-]/g, '_').slice(0, MAX_PLAIN)}_${sha256Hex(name).slice(0, 8)}`;
}

/** A schema with the names as they are shown. */
export function withShownNames(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(withShownNames);
  if (!isJsonObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (DATA.has(keyword)) return [keyword, value];
      if (keyword === 'properties' && isJsonObject(value)) return [keyword, renamed(value)];
      if (keyword === 'required' && Array.isArray(value))
        return [keyword, value.map((name) => (typeof name === 'string' ? shownName(name) : name))];
      if (keyword === 'dependentRequired' && isJsonObject(value)) return [keyword, withoutTaken(value)];
      if (keyword === '$ref' && typeof value === 'string') return [keyword, shownReference(value)];
      return [keyword, withShownNames(value)];
    }),
  );
}

/** The arguments that a model gives by the names that it is shown, by their own ones. */
export function withOwnNames(given: Json, schema: JsonObject): Json {
  if (!hasOtherNames(schema)) return given;
  return rename(given, [schema], schema, (properties) => {
    const own = new Map(Object.keys(properties).map((name) => [shownName(name), name]));
    return (name) => (Object.hasOwn(properties, name) ? name : (own.get(name) ?? name));
  });
}

/** The same the other way: arguments as models are shown them. */
export function withNamesForModel(given: Json, schema: JsonObject): Json {
  if (!hasOtherNames(schema)) return given;
  return rename(
    given,
    [schema],
    schema,
    (properties) => (name) => (Object.hasOwn(properties, name) ? shownName(name) : name),
  );
}

function renamed(properties: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => {
      const shown = shownName(name);
      const schema = withShownNames(value);
      if (shown === name || !isJsonObject(schema)) return [shown, schema];
      const { description } = schema;
      const own = `Its own name is ${JSON.stringify(name)}.`;
      return [shown, { ...schema, description: typeof description === 'string' ? `${own} ${description}` : own }];
    }),
  );
}

function withoutTaken(dependent: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(dependent).map(([name, value]) => [
      shownName(name),
      Array.isArray(value) ? value.map((each) => (typeof each === 'string' ? shownName(each) : each)) : value,
    ]),
  );
}

/** A pointer may lead through a property that is shown by another name. */
function shownReference(reference: string): string {
  return reference
    .split('/')
    .map((part, index, parts) => (parts[index - 1] === 'properties' ? shownName(own(part)) : part))
    .join('/');
}

function own(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return part;
  }
}

/** Whether a schema has names that APIs do not take; most have none. */
const HAS_OTHERS = new WeakMap<JsonObject, boolean>();

function hasOtherNames(schema: JsonObject): boolean {
  const known = HAS_OTHERS.get(schema);
  if (known !== undefined) return known;
  const found = JSON.stringify(withShownNames(schema)) !== JSON.stringify(schema);
  HAS_OTHERS.set(schema, found);
  return found;
}

type Naming = (properties: JsonObject) => (name: string) => string;

/** @param schemas that hold for the value */
function rename(value: Json, schemas: readonly Json[], root: JsonObject, naming: Naming): Json {
  const all = allOf(schemas, root);
  if (Array.isArray(value))
    return value.map((item, index) =>
      rename(
        item,
        all.flatMap(({ items, prefixItems }) => [
          ...(isJsonObject(items) ? [items] : []),
          ...(Array.isArray(prefixItems) ? prefixItems.slice(index, index + 1) : []),
        ]),
        root,
        naming,
      ),
    );
  if (!isJsonObject(value)) return value;
  const properties = new Map<string, Json[]>();
  const additional = all.flatMap(({ additionalProperties: more }) => (isJsonObject(more) ? [more] : []));
  for (const schema of all)
    for (const [name, property] of Object.entries(isJsonObject(schema['properties']) ? schema['properties'] : {}))
      properties.set(name, [...(properties.get(name) ?? []), property]);
  const toName = naming(Object.fromEntries([...properties.keys()].map((name) => [name, true])));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      const other = toName(name);
      const below = properties.get(name) ?? properties.get(other) ?? additional;
      return [other, rename(item, below, root, naming)];
    }),
  );
}

/** The schemas themselves, and those that they refer to or consist of. */
function allOf(schemas: readonly Json[], root: JsonObject): readonly JsonObject[] {
  const found = new Set<JsonObject>();
  const waiting = [...schemas];
  for (let schema = waiting.pop(); schema !== undefined && found.size < MAX_SCHEMAS; schema = waiting.pop()) {
    if (!isJsonObject(schema) || found.has(schema)) continue;
    found.add(schema);
    for (const keyword of SAME) if (Array.isArray(schema[keyword])) waiting.push(...(schema[keyword] as Json[]));
    for (const keyword of CONDITIONS) if (isJsonObject(schema[keyword])) waiting.push(schema[keyword]);
    if (typeof schema['$ref'] === 'string') waiting.push(at(root, schema['$ref']) ?? null);
  }
  return [...found];
}

/** What a pointer from the root leads to; sources of tools write no other references. */
export function at(root: JsonObject, reference: string): Json | undefined {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  let found: Json | undefined = root;
  for (const part of reference.slice(2).split('/')) found = memberOf(found, own(part)) ?? memberOf(found, part);
  return found;
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as JsonObject)[name]
    : undefined;
}
