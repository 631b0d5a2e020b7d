import type { Json, JsonObject } from '@countersign/core/plugin';
import { isJsonObject } from '@countersign/model';

/** Keywords allowed in strict schemas ("Supported schemas" of the API's guide to structured outputs). */
const ALLOWED_KEYWORDS: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  '$ref',
  '$defs',
  'definitions',
  'title',
  'description',
  'type',
  'enum',
  'const',
  'anyOf',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'pattern',
  'format',
  'multipleOf',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minItems',
  'maxItems',
]);
const MAX_LEVELS = 10;

/**
 * Returns whether the API accepts a schema as strict: every object closed with all members required, known keywords
 * only, limited nesting, and an object at the root. Other schemas are still sent, and the response is validated in any
 * case.
 */
export function isStrictSchema(schema: JsonObject): boolean {
  return schema.type === 'object' && schema.anyOf === undefined && isStrictPart(schema, 0);
}

function isStrictPart(schema: Json, level: number): boolean {
  if (!isJsonObject(schema) || level > MAX_LEVELS) return false;
  if (!Object.keys(schema).every((key) => ALLOWED_KEYWORDS.has(key))) return false;
  return (
    (typeof schema.$ref !== 'string' || schema.$ref.startsWith('#')) &&
    isClosed(schema) &&
    [
      ...memberValues(schema.properties),
      ...memberValues(schema.$defs),
      ...memberValues(schema.definitions),
      ...(schema.items === undefined ? [] : [schema.items]),
      ...(Array.isArray(schema.anyOf) ? schema.anyOf : []),
    ].every((part) => isStrictPart(part, level + 1))
  );
}

function isClosed({ type, properties, required, additionalProperties }: JsonObject): boolean {
  const isObject = type === 'object' || (Array.isArray(type) && type.includes('object')) || properties !== undefined;
  if (!isObject) return true;
  const names: readonly Json[] = Array.isArray(required) ? required : [];
  return (
    additionalProperties === false &&
    Object.keys(isJsonObject(properties) ? properties : {}).every((name) => names.includes(name))
  );
}

function memberValues(value: Json | undefined): readonly Json[] {
  return isJsonObject(value) ? Object.values(value) : [];
}
