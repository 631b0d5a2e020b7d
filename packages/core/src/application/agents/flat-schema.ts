import { canonicalJson, isJsonObject, type Json, type JsonObject, valueAtPointer } from '@countersign/model';

/** Keywords that model APIs refuse at the top level of a tool schema. */
const REFUSED = ['oneOf', 'anyOf', 'allOf', 'not', 'if', 'then', 'else', '$ref', 'enum', 'const'] as const;
/** Keywords whose meaning changes when the refused keywords beside them are removed. */
const CLOSING: ReadonlySet<string> = new Set(['unevaluatedProperties', 'dependentSchemas', 'propertyNames']);
/** Maximum number of subschemas that are merged; further ones are omitted. */
const MAX_PARTS = 200;
/** Maximum length of the textual description of omitted parts, in characters. */
const MAX_SAID = 600;
const COMBINATIONS =
  'Not every combination of arguments is valid: what does not fit is answered with an error that says why.';
/** Name under `$defs` of the full schema, for references to its parts. */
const WHOLE = 'whole_schema';

interface Flat {
  readonly properties: ReadonlyMap<string, readonly Json[]>;
  readonly required: ReadonlySet<string>;
  /** Whether other properties are allowed. */
  readonly isOpen: boolean;
}

const NOTHING: Flat = { properties: new Map(), required: new Set(), isOpen: true };

/**
 * Flattens an object schema by removing the keywords that model APIs refuse at its top level. The result has the
 * properties of all parts and requires those that every alternative requires. It accepts more than the original schema,
 * which later validates the arguments.
 *
 * @returns the flat schema, and in `lost` what it omits, in words for the language model; `null` if nothing
 */
export function flatSchema(schema: JsonObject): { readonly schema: JsonObject; readonly lost: string | null } {
  const { properties: own } = schema;
  const parts = REFUSED.filter((keyword) => schema[keyword] !== undefined);
  if (parts.length === 0)
    return { schema: { ...schema, type: 'object', properties: isJsonObject(own) ? own : {} }, lost: null };
  const { properties, required, isOpen } = new Flattener(schema).flatten();
  const others = Object.fromEntries(
    Object.entries(schema).filter(([keyword]) => !parts.some((each) => each === keyword) && !CLOSING.has(keyword)),
  );
  delete others['required'];
  if (isOpen || isJsonObject(others['additionalProperties'])) delete others['additionalProperties'];
  const flat: JsonObject = {
    ...others,
    type: 'object',
    properties: Object.fromEntries([...properties].map(([name, schemas]) => [name, anyOf(schemas)])),
    ...(required.size === 0 ? {} : { required: [...required] }),
  };
  const said = JSON.stringify(Object.fromEntries(parts.map((keyword) => [keyword, schema[keyword]])));
  return {
    schema: withWhole(flat, schema),
    lost: said.length <= MAX_SAID ? `The arguments must also fit this JSON Schema: ${said}` : COMBINATIONS,
  };
}

class Flattener {
  #left = MAX_PARTS;

  constructor(private readonly root: JsonObject) {}

  flatten(): Flat {
    return this.#one(this.root, []);
  }

  #one(given: Json | undefined, within: readonly JsonObject[]): Flat {
    this.#left -= 1;
    // A schema nested in itself adds nothing.
    if (!isJsonObject(given) || within.includes(given) || this.#left < 0) return NOTHING;
    const inner = [...within, given];
    const { properties, required, additionalProperties, dependentSchemas } = given;
    const own: Flat = {
      properties: new Map(
        Object.entries(isJsonObject(properties) ? properties : {}).flatMap(([name, each]) =>
          isNever(each) ? [] : [[name, [each]]],
        ),
      ),
      required: new Set(listOf(required).filter((name) => typeof name === 'string')),
      isOpen: !isNever(additionalProperties),
    };
    const together = [...listOf(given['allOf']), ...(given['$ref'] === undefined ? [] : [this.#at(given['$ref'])])]
      .map((part) => this.#one(part, inner))
      .reduce(both, own);
    // Properties of conditional subschemas are allowed, but never required.
    const sometimes = [
      given['then'],
      given['else'],
      ...Object.values(isJsonObject(dependentSchemas) ? dependentSchemas : {}),
    ]
      .filter((part) => part !== undefined)
      .map((part) => ({ ...this.#one(part, inner), required: new Set<string>(), isOpen: true }))
      .reduce(both, together);
    return (['anyOf', 'oneOf'] as const).reduce((flat, keyword) => {
      const [first, ...more] = listOf(given[keyword]).map((part) => this.#one(part, inner));
      return first === undefined ? flat : both(flat, more.reduce(either, first));
    }, sometimes);
  }

  /** Resolves a reference. References are JSON Pointers from the root here. */
  #at(reference: Json): Json | undefined {
    return typeof reference === 'string'
      ? valueAtPointer(this.root, decodeURIComponent(reference.replace(/^#/, '')))
      : undefined;
  }
}

/** Adds the original schema under `$defs` if a reference points to a part that was removed. */
function withWhole(flat: JsonObject, schema: JsonObject): JsonObject {
  let isNeeded = false;
  const moved = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(moved);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => {
        if (name !== '$ref' || typeof item !== 'string' || /^#\/(\$defs|definitions)\//.test(item))
          return [name, moved(item)];
        isNeeded = true;
        return [name, `#/$defs/${WHOLE}${item.slice(1)}`];
      }),
    );
  };
  const shown = moved(flat) as JsonObject;
  if (!isNeeded) return flat;
  const { $defs: _, definitions: __, ...whole } = schema;
  const { $defs } = shown;
  return { ...shown, $defs: { ...(isJsonObject($defs) ? $defs : {}), [WHOLE]: moved(whole) } };
}

function both(one: Flat, other: Flat): Flat {
  return {
    properties: joined(one.properties, other.properties),
    required: new Set([...one.required, ...other.required]),
    // A property unknown to one part may be defined by another.
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
  if (other.size === 0) return one;
  const all = new Map(one);
  for (const [name, schemas] of other) all.set(name, [...(all.get(name) ?? []), ...schemas]);
  return all;
}

function anyOf(schemas: readonly Json[]): Json {
  const different = [...new Map(schemas.map((schema) => [canonicalJson(schema), schema])).values()];
  const [first = {}, ...more] = different;
  return more.length === 0 ? first : { anyOf: different };
}

/** Returns whether a schema rejects everything: `false`, or `not` with an empty schema. */
function isNever(schema: Json | undefined): boolean {
  return (
    schema === false || (isJsonObject(schema) && isJsonObject(schema['not']) && Object.keys(schema['not']).length === 0)
  );
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
