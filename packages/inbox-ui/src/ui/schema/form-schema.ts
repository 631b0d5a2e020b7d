import { escapeInvisible } from '../escape-invisible.js';
import { isObject, type ObjectValue } from './json-object.js';

const MAX_SCHEMAS = 300;
const MAX_DEPTH = 6;
const MAX_OPTIONS = 300;
const MAX_ALTERNATIVES = 10;
/** Maximum nesting depth of alternatives: nested alternatives are matched by trying every combination. */
const MAX_ALTERNATIVE_DEPTH = 1;

const TYPES = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean']);
/** Keywords that no field can represent. */
const UNSUPPORTED_KEYWORDS = [
  'not',
  'if',
  'then',
  'else',
  'contains',
  'patternProperties',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
  'dependentSchemas',
  'dependentRequired',
  'prefixItems',
  'allOf',
  'contentMediaType',
  'contentEncoding',
];

/**
 * Returns the schema for a form; `undefined` if a form could not show all of it or would be too long to use. The value
 * is then edited as JSON.
 *
 * @param schema without references (`inlineSchema`)
 */
export function toFormSchema(schema: ObjectValue): ObjectValue | undefined {
  let remainingSchemas = MAX_SCHEMAS;
  const canShow = (part: unknown, depth: number, alternativeDepth: number): boolean => {
    remainingSchemas -= 1;
    if (
      !isObject(part) ||
      remainingSchemas < 0 ||
      depth > MAX_DEPTH ||
      UNSUPPORTED_KEYWORDS.some((keyword) => part[keyword] !== undefined)
    )
      return false;
    const { type, enum: options, const: constant, properties, items, additionalProperties, required } = part;
    if (required !== undefined && !Array.isArray(required)) return false;
    if (Array.isArray(options)) return options.length > 0 && options.length <= MAX_OPTIONS && options.every(isScalar);
    if (constant !== undefined) return isScalar(constant);
    const alternatives = part['oneOf'] ?? part['anyOf'];
    if (alternatives !== undefined)
      return (
        Array.isArray(alternatives) &&
        properties === undefined &&
        alternatives.length > 0 &&
        alternatives.length <= MAX_ALTERNATIVES &&
        alternativeDepth < MAX_ALTERNATIVE_DEPTH &&
        !mixesStringsAndNumbers(alternatives) &&
        alternatives.every((each) => canShow(each, depth + 1, alternativeDepth + 1))
      );
    if (typeof type !== 'string' || !TYPES.has(type)) return false;
    if (type === 'array') return canShow(items, depth + 1, alternativeDepth);
    if (type !== 'object') return true;
    if (isObject(additionalProperties) && !canShow(additionalProperties, depth + 1, alternativeDepth)) return false;
    if (properties === undefined) return isObject(additionalProperties);
    return (
      isObject(properties) && Object.values(properties).every((each) => canShow(each, depth + 1, alternativeDepth))
    );
  };
  return hasOnlyVisibleText(schema) && canShow(schema, 0, 0) ? (addBooleanDefaults(schema) as ObjectValue) : undefined;
}

/**
 * Returns whether a schema has no invisible characters in titles, options and defaults. Otherwise the value is edited
 * as JSON, with the escaped schema next to it.
 */
function hasOnlyVisibleText(schema: ObjectValue): boolean {
  const text = JSON.stringify(schema);
  return escapeInvisible(text) === text;
}

/**
 * Returns whether alternatives mix strings and numbers. Incomplete input in a number field is a string, so the form
 * would switch to the other alternative.
 */
function mixesStringsAndNumbers(alternatives: readonly unknown[]): boolean {
  const types = alternatives.map((each) => (isObject(each) ? each['type'] : undefined));
  return types.includes('string') && types.some((type) => type === 'number' || type === 'integer');
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || value === null;
}

/** Sets the default `false` for required booleans, because an unchecked checkbox means no. */
function addBooleanDefaults(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  const required = new Set(Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : []);
  const { properties, items } = schema;
  return {
    ...schema,
    ...(isObject(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, each]) => {
          const property = addBooleanDefaults(each);
          const isFlag =
            isObject(property) &&
            property['type'] === 'boolean' &&
            property['enum'] === undefined &&
            property['default'] === undefined &&
            required.has(name);
          return [name, isFlag ? { ...property, default: false } : property];
        }),
      ),
    }),
    ...(isObject(items) && { items: addBooleanDefaults(items) }),
  };
}
