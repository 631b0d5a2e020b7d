import type { Json, JsonObject } from '@countersign/core/plugin';
import { isJsonObject } from '@countersign/model';
import { SchemaReferences } from './schema-references.js';

/** Schemas that arguments may have to be held against, references unfolded. */
const MAX_SCHEMAS = 5_000;

/** What says something about a value by itself, and takes no longer than the value is large. */
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
 * The part of a schema that arguments are checked by, of a size that is known: references are written out, a schema within
 * itself allows anything, and what could take without end is left out (patterns backtrack, `uniqueItems` compares all with
 * all), with what could mean something else then (`not`, `if`; `oneOf` is `anyOf`). So what does not fit it does not fit the
 * schema. What is left out, the server checks itself.
 *
 * @throws {Error} where the schema is none, or unfolds to too much
 */
export function checkedPart(root: JsonObject): JsonObject {
  const references = new SchemaReferences(root);
  let left = MAX_SCHEMAS;

  const one = (given: Json | undefined, within: readonly JsonObject[]): JsonObject | boolean => {
    left -= 1;
    if (left < 0) throw new Error(`its references unfold to more than ${MAX_SCHEMAS} schemas`);
    if (typeof given === 'boolean') return given;
    if (!isJsonObject(given)) throw new Error('what should be a schema in it is none');
    if (within.includes(given)) return true;
    const inner = [...within, given];
    const all: (JsonObject | boolean)[] = [];
    const kept: JsonObject = {};
    for (const [keyword, value] of Object.entries(given)) {
      // Some servers write what they leave out.
      if (value === null && keyword !== 'const') continue;
      if (VALUES.has(keyword) || (NUMBERS.has(keyword) && typeof value === 'number')) kept[keyword] = value;
      else if (keyword === 'allOf') all.push(...many(value, inner));
      else if (keyword === 'anyOf' || keyword === 'oneOf') all.push({ anyOf: many(value, inner) });
      else if (keyword === '$ref') all.push(one(references.resolve(value, given), inner));
      else if (keyword === 'prefixItems' || (keyword === 'items' && Array.isArray(value)))
        kept['prefixItems'] = many(value, inner);
      else if (keyword === 'items') kept['items'] = one(value, inner);
      else if (keyword === 'properties') kept['properties'] = named(value, inner);
      // Beside patterns nobody can say here which properties are additional ones.
      else if (keyword === 'additionalProperties' && given['patternProperties'] === undefined)
        kept['additionalProperties'] = one(value, inner);
    }
    return all.length === 0 ? kept : { ...kept, allOf: all };
  };

  const many = (given: Json, within: readonly JsonObject[]): (JsonObject | boolean)[] => {
    if (!Array.isArray(given)) throw new Error('what should be a list of schemas in it is none');
    return given.map((item) => one(item, within));
  };

  const named = (given: Json, within: readonly JsonObject[]): JsonObject => {
    if (!isJsonObject(given)) throw new Error('its properties are none');
    return Object.fromEntries(Object.entries(given).map(([name, item]) => [name, one(item, within)]));
  };

  const checked = one(root, []);
  return isJsonObject(checked) ? checked : {};
}
