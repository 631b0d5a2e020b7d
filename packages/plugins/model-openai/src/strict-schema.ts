import type { Json, JsonObject } from '@countersign/core/plugin';
import { isJsonObject } from '@countersign/model';

/** Keywords of which strict schemas of the API may consist ("Supported schemas" of its guide to structured outputs). */
const KNOWN: ReadonlySet<string> = new Set([
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
 * Whether the API takes a schema as strict: every object closed and all of its members required, of known keywords, not
 * nested too deep, and an object at its root. Another schema is asked for all the same, and the answer is checked anyhow.
 */
export function fitsStrict(schema: JsonObject): boolean {
  return schema.type === 'object' && schema.anyOf === undefined && fits(schema, 0);
}

function fits(schema: Json, level: number): boolean {
  if (!isJsonObject(schema) || level > MAX_LEVELS) return false;
  if (!Object.keys(schema).every((key) => KNOWN.has(key))) return false;
  return (
    (typeof schema.$ref !== 'string' || schema.$ref.startsWith('#')) &&
    isClosed(schema) &&
    [
      ...members(schema.properties),
      ...members(schema.$defs),
      ...members(schema.definitions),
      ...(schema.items === undefined ? [] : [schema.items]),
      ...(Array.isArray(schema.anyOf) ? schema.anyOf : []),
    ].every((part) => fits(part, level + 1))
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

function members(value: Json | undefined): readonly Json[] {
  return isJsonObject(value) ? Object.values(value) : [];
}
