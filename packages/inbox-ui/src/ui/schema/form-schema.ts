import { escapeInvisible } from '../escape-invisible.js';
import { isObject, type Obj } from './json-object.js';

const MAX_SCHEMAS = 300;
const DEEPEST = 6;
const MAX_OPTIONS = 300;
const MAX_ALTERNATIVES = 10;
/** Nested choices are matched by trying each with each. */
const MAX_NESTED_CHOICES = 1;

const TYPES = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean']);
/** Say of a value what no field can show. */
const UNSHOWN = [
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
 * The schema that a form is made from; `undefined` where a form could not show all of it, or would be too long to be used:
 * then the value is written as JSON.
 *
 * @param schema without references (`inlineSchema`).
 */
export function formSchema(schema: Obj): Obj | undefined {
  let left = MAX_SCHEMAS;
  const shows = (part: unknown, depth: number, choices: number): boolean => {
    left -= 1;
    if (!isObject(part) || left < 0 || depth > DEEPEST || UNSHOWN.some((keyword) => part[keyword] !== undefined))
      return false;
    const { type, enum: options, const: fixed, properties, items, additionalProperties, required } = part;
    if (required !== undefined && !Array.isArray(required)) return false;
    if (Array.isArray(options)) return options.length > 0 && options.length <= MAX_OPTIONS && options.every(isScalar);
    if (fixed !== undefined) return isScalar(fixed);
    const alternatives = part['oneOf'] ?? part['anyOf'];
    if (alternatives !== undefined)
      return (
        Array.isArray(alternatives) &&
        properties === undefined &&
        alternatives.length > 0 &&
        alternatives.length <= MAX_ALTERNATIVES &&
        choices < MAX_NESTED_CHOICES &&
        !isMixed(alternatives) &&
        alternatives.every((each) => shows(each, depth + 1, choices + 1))
      );
    if (typeof type !== 'string' || !TYPES.has(type)) return false;
    if (type === 'array') return shows(items, depth + 1, choices);
    if (type !== 'object') return true;
    if (isObject(additionalProperties) && !shows(additionalProperties, depth + 1, choices)) return false;
    if (properties === undefined) return isObject(additionalProperties);
    return isObject(properties) && Object.values(properties).every((each) => shows(each, depth + 1, choices));
  };
  return isHonest(schema) && shows(schema, 0, 0) ? (prepared(schema) as Obj) : undefined;
}

/** Titles, options and defaults with something in them that nobody sees are no form: written as JSON, the schema beside it names it. */
function isHonest(schema: Obj): boolean {
  const text = JSON.stringify(schema);
  return escapeInvisible(text) === text;
}

/** What is typed into the field of a number, and is none yet, is a text: a form would go over to the other alternative. */
function isMixed(alternatives: readonly unknown[]): boolean {
  const types = alternatives.map((each) => (isObject(each) ? each['type'] : undefined));
  return types.includes('string') && types.some((type) => type === 'number' || type === 'integer');
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || value === null;
}

/** A box that is not ticked says no: a boolean that is required is `false` until it is. */
function prepared(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  const required = new Set(Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : []);
  const { properties, items } = schema;
  return {
    ...schema,
    ...(isObject(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, each]) => {
          const property = prepared(each);
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
    ...(isObject(items) && { items: prepared(items) }),
  };
}
