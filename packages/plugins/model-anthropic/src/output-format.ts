import type { Json, JsonObject } from '@countersign/core/plugin';
import { isJsonObject } from '@countersign/model';

const PRIMITIVE_TYPES: readonly Json[] = ['string', 'number', 'integer', 'boolean', 'null'];

/**
 * Returns whether the API's output format can express a schema. The format supports only closed objects, no references,
 * and no combinations other than `anyOf`. The library turns other constraints into descriptions, and the response is
 * validated in any case.
 */
export function fitsOutputFormat(schema: Json): boolean {
  if (!isJsonObject(schema) || ['$ref', '$defs', 'allOf', 'oneOf', 'not', 'if'].some((keyword) => keyword in schema))
    return false;
  if (Array.isArray(schema.anyOf)) return schema.anyOf.every(fitsOutputFormat);
  if (Array.isArray(schema.enum)) return schema.enum.every(isPrimitive);
  if (schema.const !== undefined) return isPrimitive(schema.const);
  if (Array.isArray(schema.type)) return schema.type.every((type) => PRIMITIVE_TYPES.includes(type));
  if (schema.type === 'object')
    return (
      isClosed(schema) &&
      Object.values(isJsonObject(schema.properties) ? schema.properties : {}).every(fitsOutputFormat)
    );
  if (schema.type === 'array') return schema.items !== undefined && fitsOutputFormat(schema.items);
  return schema.type !== undefined && PRIMITIVE_TYPES.includes(schema.type);
}

function isClosed({ additionalProperties, patternProperties }: JsonObject): boolean {
  return additionalProperties === false && patternProperties === undefined;
}

function isPrimitive(value: Json): boolean {
  return typeof value !== 'object' || value === null;
}
