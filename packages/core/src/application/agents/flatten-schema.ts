import { canonicalJson, isJsonObject, type Json, type JsonObject, getValueAtPointer } from '@countersign/model';

/** Keywords that model APIs refuse at the top level of a tool schema. */
const UNSUPPORTED_KEYWORDS = ['oneOf', 'anyOf', 'allOf', 'not', 'if', 'then', 'else', '$ref', 'enum', 'const'] as const;
/**
 * Keywords that are removed together with the unsupported ones, so that the flat schema accepts everything that the
 * original accepts.
 */
const ALSO_REMOVED_KEYWORDS: ReadonlySet<string> = new Set([
  'unevaluatedProperties',
  'dependentSchemas',
  'propertyNames',
]);
/** Maximum number of subschemas that are merged; further ones are omitted. */
const MAX_SUBSCHEMAS = 200;
/** Maximum JSON length of lost constraints that are quoted in a description, in characters. */
const MAX_LOST_CONSTRAINTS_CHARACTERS = 600;
const COMBINATIONS_HINT =
  'Not every combination of arguments is valid: an invalid combination results in an error that states the reason.';
/** Name under `$defs` of the full schema, for references to its parts. */
const WHOLE_SCHEMA_KEY = 'whole_schema';

interface FlatSchema {
  readonly properties: ReadonlyMap<string, readonly Json[]>;
  readonly required: ReadonlySet<string>;
  /** Whether other properties are allowed. */
  readonly isOpen: boolean;
}

const EMPTY_SCHEMA: FlatSchema = { properties: new Map(), required: new Set(), isOpen: true };

/**
 * Flattens an object schema by removing the keywords that model APIs refuse at its top level. The result has the
 * properties of all parts and requires those that every alternative requires. It accepts more than the original schema,
 * which later validates the arguments.
 *
 * @returns the flat schema and, in `lostConstraints`, a description of the omitted constraints for the language
 *   model; `null` if nothing is omitted
 */
export function flattenSchema(schema: JsonObject): {
  readonly schema: JsonObject;
  readonly lostConstraints: string | null;
} {
  const { properties: rootProperties } = schema;
  const unsupportedKeywords = UNSUPPORTED_KEYWORDS.filter((keyword) => schema[keyword] !== undefined);
  if (unsupportedKeywords.length === 0)
    return {
      schema: { ...schema, type: 'object', properties: isJsonObject(rootProperties) ? rootProperties : {} },
      lostConstraints: null,
    };
  const { properties, required, isOpen } = new Flattener(schema).flatten();
  const keptKeywords = Object.fromEntries(
    Object.entries(schema).filter(
      ([keyword]) => !unsupportedKeywords.some((each) => each === keyword) && !ALSO_REMOVED_KEYWORDS.has(keyword),
    ),
  );
  delete keptKeywords['required'];
  if (isOpen || isJsonObject(keptKeywords['additionalProperties'])) delete keptKeywords['additionalProperties'];
  const flatSchema: JsonObject = {
    ...keptKeywords,
    type: 'object',
    properties: Object.fromEntries([...properties].map(([name, schemas]) => [name, toAnyOf(schemas)])),
    ...(required.size === 0 ? {} : { required: [...required] }),
  };
  const lostJson = JSON.stringify(Object.fromEntries(unsupportedKeywords.map((keyword) => [keyword, schema[keyword]])));
  return {
    schema: withWholeSchema(flatSchema, schema),
    lostConstraints:
      lostJson.length <= MAX_LOST_CONSTRAINTS_CHARACTERS
        ? `The arguments must also match this JSON Schema: ${lostJson}`
        : COMBINATIONS_HINT,
  };
}

class Flattener {
  #remainingSubschemas = MAX_SUBSCHEMAS;

  constructor(private readonly root: JsonObject) {}

  flatten(): FlatSchema {
    return this.#flattenSubschema(this.root, []);
  }

  #flattenSubschema(subschema: Json | undefined, ancestors: readonly JsonObject[]): FlatSchema {
    this.#remainingSubschemas -= 1;
    // A schema nested in itself adds nothing.
    if (!isJsonObject(subschema) || ancestors.includes(subschema) || this.#remainingSubschemas < 0) return EMPTY_SCHEMA;
    const path = [...ancestors, subschema];
    const { properties, required, additionalProperties, dependentSchemas } = subschema;
    const ownSchema: FlatSchema = {
      properties: new Map(
        Object.entries(isJsonObject(properties) ? properties : {}).flatMap(([name, each]) =>
          rejectsEverything(each) ? [] : [[name, [each]]],
        ),
      ),
      required: new Set(toList(required).filter((name) => typeof name === 'string')),
      isOpen: !rejectsEverything(additionalProperties),
    };
    const withRequiredParts = [
      ...toList(subschema['allOf']),
      ...(subschema['$ref'] === undefined ? [] : [this.#resolveReference(subschema['$ref'])]),
    ]
      .map((part) => this.#flattenSubschema(part, path))
      .reduce(intersect, ownSchema);
    // Properties of conditional subschemas are allowed, but never required.
    const withConditionalParts = [
      subschema['then'],
      subschema['else'],
      ...Object.values(isJsonObject(dependentSchemas) ? dependentSchemas : {}),
    ]
      .filter((part) => part !== undefined)
      .map((part) => ({ ...this.#flattenSubschema(part, path), required: new Set<string>(), isOpen: true }))
      .reduce(intersect, withRequiredParts);
    return (['anyOf', 'oneOf'] as const).reduce((flat, keyword) => {
      const [first, ...alternatives] = toList(subschema[keyword]).map((part) => this.#flattenSubschema(part, path));
      return first === undefined ? flat : intersect(flat, alternatives.reduce(unite, first));
    }, withConditionalParts);
  }

  /** Resolves a reference, which must be a JSON Pointer from the root. */
  #resolveReference(reference: Json): Json | undefined {
    return typeof reference === 'string'
      ? getValueAtPointer(this.root, decodeURIComponent(reference.replace(/^#/, '')))
      : undefined;
  }
}

/**
 * Adds the original schema under `$defs` if a reference points outside of the definitions, because its target may have
 * been removed.
 */
function withWholeSchema(flatSchema: JsonObject, schema: JsonObject): JsonObject {
  let hasRootReference = false;
  const moveReferences = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(moveReferences);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => {
        if (name !== '$ref' || typeof item !== 'string' || /^#\/(\$defs|definitions)\//.test(item))
          return [name, moveReferences(item)];
        hasRootReference = true;
        return [name, `#/$defs/${WHOLE_SCHEMA_KEY}${item.slice(1)}`];
      }),
    );
  };
  const movedSchema = moveReferences(flatSchema) as JsonObject;
  if (!hasRootReference) return flatSchema;
  const { $defs: _, definitions: __, ...wholeSchema } = schema;
  const { $defs } = movedSchema;
  return {
    ...movedSchema,
    $defs: { ...(isJsonObject($defs) ? $defs : {}), [WHOLE_SCHEMA_KEY]: moveReferences(wholeSchema) },
  };
}

function intersect(one: FlatSchema, other: FlatSchema): FlatSchema {
  return {
    properties: mergeProperties(one.properties, other.properties),
    required: new Set([...one.required, ...other.required]),
    // A property unknown to one part may be defined by another.
    isOpen: one.isOpen || other.isOpen,
  };
}

function unite(one: FlatSchema, other: FlatSchema): FlatSchema {
  return {
    properties: mergeProperties(one.properties, other.properties),
    required: new Set([...one.required].filter((name) => other.required.has(name))),
    isOpen: one.isOpen || other.isOpen,
  };
}

function mergeProperties(one: FlatSchema['properties'], other: FlatSchema['properties']): FlatSchema['properties'] {
  if (other.size === 0) return one;
  const merged = new Map(one);
  for (const [name, schemas] of other) merged.set(name, [...(merged.get(name) ?? []), ...schemas]);
  return merged;
}

function toAnyOf(schemas: readonly Json[]): Json {
  const distinctSchemas = [...new Map(schemas.map((schema) => [canonicalJson(schema), schema])).values()];
  const [first = {}, ...otherSchemas] = distinctSchemas;
  return otherSchemas.length === 0 ? first : { anyOf: distinctSchemas };
}

/** Returns whether a schema rejects everything: `false`, or `not` with an empty schema. */
function rejectsEverything(schema: Json | undefined): boolean {
  return (
    schema === false || (isJsonObject(schema) && isJsonObject(schema['not']) && Object.keys(schema['not']).length === 0)
  );
}

function toList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
