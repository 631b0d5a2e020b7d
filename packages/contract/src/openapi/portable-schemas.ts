type Schema = Readonly<Record<string, unknown>>;
type RewriteRule = (schema: Schema) => Schema;

/** Keywords whose value is one schema. */
const SCHEMA_KEYWORDS: ReadonlySet<string> = new Set(['items', 'additionalProperties', 'propertyNames', 'not']);
/** Keywords whose value is a list of schemas. */
const SCHEMA_LIST_KEYWORDS: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
/** Keywords whose value maps names to schemas. The names are data: a property may be named `default`. */
const SCHEMA_MAP_KEYWORDS: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs']);

const MAX_INT32 = 2 ** 31 - 1;

const REWRITE_RULES: readonly RewriteRule[] = [
  removeUnrestrictedPropertyNames,
  removeDefaultObject,
  markWideIntegers,
  rewriteBooleanConstant,
  rewriteNullable,
  isolateReference,
];

/**
 * Rewrites the schemas of an OpenAPI document so that client generators accept them. The new schemas accept the same
 * values; only the notation changes.
 */
export function makeSchemasPortable<T>(document: T): T {
  return rewriteDocument(document) as T;
}

function rewriteDocument(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(rewriteDocument);
  if (!isRecord(node)) return node;
  return mapEntries(node, (name, value) => {
    if (name === 'schema') return rewriteSchema(value);
    if (name === 'schemas') return declareDiscriminators(nameConstants(rewriteSchemaMap(value)));
    return name === 'example' || name === 'examples' ? value : rewriteDocument(value);
  });
}

function rewriteSchema(schema: unknown): unknown {
  if (!isRecord(schema)) return schema;
  const rewritten = mapEntries(schema, (name, value) => {
    if (SCHEMA_KEYWORDS.has(name)) return rewriteSchema(value);
    if (SCHEMA_LIST_KEYWORDS.has(name) && Array.isArray(value)) return value.map(rewriteSchema);
    return SCHEMA_MAP_KEYWORDS.has(name) ? rewriteSchemaMap(value) : value;
  });
  return REWRITE_RULES.reduce((result, rule) => rule(result), rewritten);
}

function rewriteSchemaMap(schemas: unknown): unknown {
  return isRecord(schemas) ? mapEntries(schemas, (_, schema) => rewriteSchema(schema)) : schemas;
}

/**
 * Prefixes the constants of named enumerations with the name of the enumeration: `RUN_STATUS_FAILED`. The Go generator
 * declares all of them in one scope, where two `FAILED` constants do not compile.
 */
function nameConstants(schemas: unknown): unknown {
  if (!isRecord(schemas)) return schemas;
  return mapEntries(schemas, (name, schema) => {
    const values = isRecord(schema) && schema['type'] === 'string' ? schema['enum'] : undefined;
    return Array.isArray(values)
      ? { ...(schema as Schema), 'x-enum-varnames': values.map((value) => toConstantName(`${name}_${String(value)}`)) }
      : schema;
  });
}

function toConstantName(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase();
}

/**
 * Declares the discriminator property of a `oneOf` on the `oneOf` itself, with all its values. Otherwise the C#
 * generator, which creates one enumeration for the constants of all members, keeps only the last one.
 */
function declareDiscriminators(schemas: unknown): unknown {
  if (!isRecord(schemas)) return schemas;
  return mapEntries(schemas, (_, schema) => {
    const name = isRecord(schema) && isRecord(schema['discriminator']) ? schema['discriminator']['propertyName'] : '';
    if (!isRecord(schema) || !Array.isArray(schema['oneOf']) || typeof name !== 'string' || name === '') return schema;
    const values = schema['oneOf'].map((member: unknown) => getConstant(resolveMember(schemas, member), name));
    if (!values.every((value) => typeof value === 'string')) return schema;
    return { ...schema, properties: { [name]: { type: 'string', enum: values } }, required: [name] };
  });
}

function resolveMember(schemas: Schema, member: unknown): unknown {
  const reference = isRecord(member) ? member['$ref'] : undefined;
  return typeof reference === 'string' ? schemas[reference.split('/').at(-1) ?? ''] : member;
}

function getConstant(schema: unknown, name: string): unknown {
  const properties = isRecord(schema) ? schema['properties'] : undefined;
  const property = isRecord(properties) ? properties[name] : undefined;
  return isRecord(property) ? property['const'] : undefined;
}

/** Removes `propertyNames: {type: string}`, which every JSON object satisfies and generators report as unknown. */
function removeUnrestrictedPropertyNames(schema: Schema): Schema {
  const names = schema['propertyNames'];
  return isRecord(names) && Object.keys(names).join() === 'type' && names['type'] === 'string'
    ? omitProperty(schema, 'propertyNames')
    : schema;
}

/** Removes `default: {}`, for which the Go generator emits code that does not compile. */
function removeDefaultObject(schema: Schema): Schema {
  return isRecord(schema['default']) ? omitProperty(schema, 'default') : schema;
}

/**
 * Adds `format: int64` to integers that may exceed 32 bits: without it, the Go, Java and C# generators use 32-bit
 * types.
 */
function markWideIntegers(schema: Schema): Schema {
  const { type, format, maximum } = schema;
  return type !== 'integer' || format !== undefined || (typeof maximum === 'number' && maximum <= MAX_INT32)
    ? schema
    : { ...schema, format: 'int64' };
}

/** Replaces `const: true` by `not: {const: false}`: the Java generator converts a boolean constant to a string. */
function rewriteBooleanConstant(schema: Schema): Schema {
  const { const: value, ...rest } = schema;
  return typeof value === 'boolean' ? { ...rest, not: { const: !value } } : schema;
}

/** Converts `anyOf: [{type: T}, {type: null}]` to `type: [T, null]`, and to `oneOf` if T is a reference. */
function rewriteNullable(schema: Schema): Schema {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [value, other] = anyOf as [Schema, Schema];
  if (other['type'] !== 'null') return schema;
  if (typeof value['type'] !== 'string') return { ...rest, oneOf: anyOf };
  const values = value['enum'];
  return {
    ...value,
    type: [value['type'], 'null'],
    ...(Array.isArray(values) ? { enum: [...(values as unknown[]), null] } : {}),
    ...rest,
  };
}

/** Moves a reference that has a description into `allOf`: many generators ignore the siblings of `$ref`. */
function isolateReference(schema: Schema): Schema {
  const { $ref, ...rest } = schema;
  return $ref === undefined || Object.keys(rest).length === 0 ? schema : { allOf: [{ $ref }], ...rest };
}

function omitProperty(schema: Schema, name: string): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== name));
}

function mapEntries(record: Schema, map: (name: string, value: unknown) => unknown): Schema {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(name, value)]));
}

function isRecord(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
