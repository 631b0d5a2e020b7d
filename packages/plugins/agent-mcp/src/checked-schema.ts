import type { Json, JsonObject } from '@countersign/core/plugin';
import { isJsonObject } from '@countersign/model';
import { SchemaReferences } from './schema-references.js';

/** Maximum number of schemas after references are expanded. */
const MAX_SCHEMAS = 5_000;

/** Keywords that apply to a value directly, in time linear in the size of the value. */
const VALUES: ReadonlySet<string> = new Set(['type', 'enum', 'const', 'required', 'dependentRequired']);
const NUMBERS: ReadonlySet<string> = new Set([
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
 * Returns the part of a schema by which arguments are checked, of bounded size. References are expanded, and a schema
 * within itself allows anything. Keywords with unbounded cost are omitted (patterns backtrack, `uniqueItems` compares
 * all pairs), and so are those whose meaning would then change (`not`, `if`; `oneOf` becomes `anyOf`). Arguments that
 * do not match this part therefore do not match the schema. The server checks the rest.
 *
 * @throws {Error} if the schema is invalid, or expands beyond the limit
 */
export function checkedPart(root: JsonObject): JsonObject {
  const references = new SchemaReferences(root);
  let left = MAX_SCHEMAS;

  const one = (given: Json | undefined, within: readonly JsonObject[]): JsonObject | boolean => {
    left -= 1;
    if (left < 0) throw new Error(`its references expand to more than ${MAX_SCHEMAS} schemas`);
    if (typeof given === 'boolean') return given;
    if (!isJsonObject(given)) throw new Error('it has a value that is not a schema where a schema is required');
    if (within.includes(given)) return true;
    const inner = [...within, given];
    const all: (JsonObject | boolean)[] = [];
    const kept: JsonObject = {};
    for (const [keyword, value] of Object.entries(given)) {
      // Some servers write `null` for absent keywords.
      if (value === null && keyword !== 'const') continue;
      if (VALUES.has(keyword) || (NUMBERS.has(keyword) && typeof value === 'number')) kept[keyword] = value;
      else if (keyword === 'allOf') all.push(...many(value, inner));
      else if (keyword === 'anyOf' || keyword === 'oneOf') all.push({ anyOf: many(value, inner) });
      else if (keyword === '$ref') all.push(one(references.resolve(value, given), inner));
      else if (keyword === 'prefixItems' || (keyword === 'items' && Array.isArray(value)))
        kept['prefixItems'] = many(value, inner);
      else if (keyword === 'items') kept['items'] = one(value, inner);
      else if (keyword === 'properties') kept['properties'] = named(value, inner);
      // With patterns, it is unknown here which properties are additional.
      else if (keyword === 'additionalProperties' && given['patternProperties'] === undefined)
        kept['additionalProperties'] = one(value, inner);
    }
    return all.length === 0 ? kept : { ...kept, allOf: all };
  };

  const many = (given: Json, within: readonly JsonObject[]): (JsonObject | boolean)[] => {
    if (!Array.isArray(given)) throw new Error('it has a value that is not a list where a list of schemas is required');
    return given.map((item) => one(item, within));
  };

  const named = (given: Json, within: readonly JsonObject[]): JsonObject => {
    if (!isJsonObject(given)) throw new Error('its properties are not an object');
    return Object.fromEntries(Object.entries(given).map(([name, item]) => [name, one(item, within)]));
  };

  const checked = one(root, []);
  return isJsonObject(checked) ? checked : {};
}
