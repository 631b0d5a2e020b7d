import type { Json, JsonObject } from '@countersign/core/plugin';
import { escapePointer, isJsonObject, schemaKeywordKind } from '@countersign/model';
import { MovedSchemas } from './moved-schemas.js';
import { invalidSchema, readKeyword } from './schema-keyword-forms.js';
import { SchemaReferences } from './schema-references.js';

/** Keywords that name parts of a schema. They are unused once references are pointers. */
const NAMES: ReadonlySet<string> = new Set(['$id', '$anchor', '$dynamicAnchor', '$schema', '$vocabulary']);

/**
 * Returns the same schema in the form that model APIs accept: valid by the metaschema of JSON Schema 2020-12 except for
 * forms of earlier drafts, with references as pointers from the root, without ids and anchors. Takes time linear in the
 * size of the schema.
 *
 * @throws {Error} with the location, if the meaning of the schema is unclear
 */
export function localSchema(root: JsonObject): JsonObject {
  const references = new SchemaReferences(root);
  const moved = new MovedSchemas(root, references);

  const one = (given: Json, at: string): Json => {
    if (typeof given === 'boolean') return given;
    if (!isJsonObject(given)) throw invalidSchema(at, 'a schema');
    const $ref = moved.referenceTo(given);
    return $ref === undefined ? object(given, at) : { $ref };
  };

  const object = (given: JsonObject, at: string): JsonObject =>
    Object.fromEntries(
      Object.entries(given).flatMap(([keyword, value]): [string, Json][] => {
        if (NAMES.has(keyword)) return [];
        const place = `${at}/${escapePointer(keyword)}`;
        const read = readKeyword(keyword, value, place);
        return read === undefined ? [] : [[keyword, below(given, keyword, read, place)]];
      }),
    );

  const below = (given: JsonObject, keyword: string, value: Json, at: string): Json => {
    if (keyword === '$ref') {
      const { target, ...place } = references.locate(value, given);
      return references.pointerOf(target) ?? moved.add(target, place);
    }
    const kind = schemaKeywordKind(keyword, value);
    if (kind === 'schema') return one(value, at);
    if (kind === 'schemas' && Array.isArray(value)) return value.map((item, index) => one(item, `${at}/${index}`));
    if (kind === 'named' && isJsonObject(value))
      return Object.fromEntries(
        Object.entries(value).map(([name, item]) => [
          name,
          // Values of `dependencies` may also be lists of required names.
          Array.isArray(item) && keyword === 'dependencies' ? item : one(item, `${at}/${escapePointer(name)}`),
        ]),
      );
    return value;
  };

  return moved.addedTo(object(root, ''), object);
}
