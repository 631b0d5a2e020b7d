import type { Json, JsonObject } from '@countersign/core/plugin';
import { escapePointer, isJsonObject, getSchemaKeywordKind } from '@countersign/model';
import { MovedSchemas } from './moved-schemas.js';
import { createInvalidSchemaError, readKeyword } from './schema-keyword-forms.js';
import { SchemaReferences } from './schema-references.js';

/** Keywords that name parts of a schema. They are unused once references are pointers. */
const IDENTIFIER_KEYWORDS: ReadonlySet<string> = new Set([
  '$id',
  '$anchor',
  '$dynamicAnchor',
  '$schema',
  '$vocabulary',
]);

/**
 * Returns the same schema in the form that language model APIs accept: valid against the metaschema of JSON Schema
 * 2020-12 except for forms of earlier drafts, with references as pointers from the root, without ids and anchors. Takes
 * time linear in the size of the schema.
 *
 * @throws {Error} with the location, if the meaning of the schema is unclear
 */
export function toModelSchema(root: JsonObject): JsonObject {
  const references = new SchemaReferences(root);
  const movedSchemas = new MovedSchemas(root, references);

  const convertSchema = (schema: Json, pointer: string): Json => {
    if (typeof schema === 'boolean') return schema;
    if (!isJsonObject(schema)) throw createInvalidSchemaError(pointer, 'a schema');
    const $ref = movedSchemas.findReference(schema);
    return $ref === undefined ? convertObject(schema, pointer) : { $ref };
  };

  const convertObject = (schema: JsonObject, pointer: string): JsonObject =>
    Object.fromEntries(
      Object.entries(schema).flatMap(([keyword, value]): [string, Json][] => {
        if (IDENTIFIER_KEYWORDS.has(keyword)) return [];
        const keywordPointer = `${pointer}/${escapePointer(keyword)}`;
        const adapted = readKeyword(keyword, value, keywordPointer);
        return adapted === undefined ? [] : [[keyword, convertKeywordValue(schema, keyword, adapted, keywordPointer)]];
      }),
    );

  const convertKeywordValue = (schema: JsonObject, keyword: string, value: Json, pointer: string): Json => {
    if (keyword === '$ref') {
      const { target, ...location } = references.locate(value, schema);
      return references.findPointer(target) ?? movedSchemas.add(target, location);
    }
    const kind = getSchemaKeywordKind(keyword, value);
    if (kind === 'schema') return convertSchema(value, pointer);
    if (kind === 'schemas' && Array.isArray(value))
      return value.map((item, index) => convertSchema(item, `${pointer}/${index}`));
    if (kind === 'named' && isJsonObject(value))
      return Object.fromEntries(
        Object.entries(value).map(([name, item]) => [
          name,
          // Values of `dependencies` may also be lists of required names.
          Array.isArray(item) && keyword === 'dependencies'
            ? item
            : convertSchema(item, `${pointer}/${escapePointer(name)}`),
        ]),
      );
    return value;
  };

  return movedSchemas.addDefinitions(convertObject(root, ''), convertObject);
}
