import type { Json, JsonObject } from '@countersign/core/plugin';
import { isJsonObject } from '@countersign/model';
import { SchemaReferences } from './schema-references.js';

/** Maximum number of schemas after references are expanded. */
const MAX_SCHEMAS = 5_000;

/** Keywords that apply to a value directly, in time linear in the size of the value. */
const VALUE_KEYWORDS: ReadonlySet<string> = new Set(['type', 'enum', 'const', 'required', 'dependentRequired']);
const NUMBER_KEYWORDS: ReadonlySet<string> = new Set([
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
]);

/**
 * Returns the part of a schema by which arguments are checked, of bounded size. References are expanded, except that a
 * schema within itself allows any value. Keywords with unbounded cost are omitted (patterns backtrack, `uniqueItems`
 * compares all pairs), and so are those whose meaning would then change (`not`, `if`; `oneOf` becomes `anyOf`).
 * Arguments that do not match this part therefore do not match the schema. The server checks the rest.
 *
 * @throws {Error} if the schema is invalid, or expands beyond the limit
 */
export function toCheckableSchema(root: JsonObject): JsonObject {
  const references = new SchemaReferences(root);
  let remainingSchemas = MAX_SCHEMAS;

  const convertSchema = (schema: Json | undefined, ancestors: readonly JsonObject[]): JsonObject | boolean => {
    remainingSchemas -= 1;
    if (remainingSchemas < 0) throw new Error(`its references expand to more than ${MAX_SCHEMAS} schemas`);
    if (typeof schema === 'boolean') return schema;
    if (!isJsonObject(schema)) throw new Error('it has a value that is not a schema where a schema is required');
    if (ancestors.includes(schema)) return true;
    const ancestorsAndSelf = [...ancestors, schema];
    const conjuncts: (JsonObject | boolean)[] = [];
    const checkableSchema: JsonObject = {};
    for (const [keyword, value] of Object.entries(schema)) {
      // Some servers write `null` for absent keywords.
      if (value === null && keyword !== 'const') continue;
      if (VALUE_KEYWORDS.has(keyword) || (NUMBER_KEYWORDS.has(keyword) && typeof value === 'number'))
        checkableSchema[keyword] = value;
      else if (keyword === 'allOf') conjuncts.push(...convertSchemas(value, ancestorsAndSelf));
      else if (keyword === 'anyOf' || keyword === 'oneOf')
        conjuncts.push({ anyOf: convertSchemas(value, ancestorsAndSelf) });
      else if (keyword === '$ref') conjuncts.push(convertSchema(references.resolve(value, schema), ancestorsAndSelf));
      else if (keyword === 'prefixItems' || (keyword === 'items' && Array.isArray(value)))
        checkableSchema['prefixItems'] = convertSchemas(value, ancestorsAndSelf);
      else if (keyword === 'items') checkableSchema['items'] = convertSchema(value, ancestorsAndSelf);
      else if (keyword === 'properties') checkableSchema['properties'] = convertProperties(value, ancestorsAndSelf);
      // With patterns, it is unknown here which properties are additional.
      else if (keyword === 'additionalProperties' && schema['patternProperties'] === undefined)
        checkableSchema['additionalProperties'] = convertSchema(value, ancestorsAndSelf);
    }
    return conjuncts.length === 0 ? checkableSchema : { ...checkableSchema, allOf: conjuncts };
  };

  const convertSchemas = (schemas: Json, ancestors: readonly JsonObject[]): (JsonObject | boolean)[] => {
    if (!Array.isArray(schemas))
      throw new Error('it has a value that is not a list where a list of schemas is required');
    return schemas.map((item) => convertSchema(item, ancestors));
  };

  const convertProperties = (properties: Json, ancestors: readonly JsonObject[]): JsonObject => {
    if (!isJsonObject(properties)) throw new Error('its properties are not an object');
    return Object.fromEntries(Object.entries(properties).map(([name, item]) => [name, convertSchema(item, ancestors)]));
  };

  const converted = convertSchema(root, []);
  return isJsonObject(converted) ? converted : {};
}
