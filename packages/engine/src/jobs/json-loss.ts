import { escapePointer } from '@countersign/model';

export interface JsonLoss {
  /** JSON Pointer (RFC 6901) of the value. */
  readonly pointer: string;
  readonly message: string;
}

/**
 * `Object.prototype.toString` tags of the objects that JSON can represent: plain objects, lists, and the wrapper
 * objects that `JSON.stringify` unwraps.
 */
const JSON_TAGS: ReadonlySet<string> = new Set(['Object', 'Array', 'String', 'Number', 'Boolean']);

/**
 * Returns the first part of a value that `JSON.stringify` would silently convert to something else: a map becomes
 * `{}`, a function disappears. `undefined` is accepted, because it is commonly expected to be omitted, or null in a
 * list. An object with `toJSON` defines its own JSON.
 *
 * @param value must not be nested more deeply than JSON input may be
 */
export function findJsonLoss(value: unknown, pointer = ''): JsonLoss | undefined {
  if (typeof value === 'function' || typeof value === 'symbol')
    return { pointer, message: `A ${typeof value} is not JSON.` };
  if (typeof value !== 'object' || value === null) return undefined;
  if (value instanceof Date && Number.isNaN(value.getTime()))
    return { pointer, message: 'An invalid Date cannot be converted to JSON.' };
  if ('toJSON' in value && typeof value.toJSON === 'function') return undefined;
  return Array.isArray(value) ? findLossInList(value, pointer) : findLossInObject(value, pointer);
}

function findLossInList(list: readonly unknown[], pointer: string): JsonLoss | undefined {
  for (let index = 0; index < list.length; index += 1) {
    const found = findJsonLoss(list[index], `${pointer}/${index}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function findLossInObject(object: object, pointer: string): JsonLoss | undefined {
  const tag = Object.prototype.toString.call(object).slice('[object '.length, -1);
  const members = Object.entries(object);
  if (!JSON_TAGS.has(tag) || (tag === 'Object' && members.length === 0 && !isPlain(object)))
    return {
      pointer,
      message: `An instance of ${constructorName(object) ?? tag} cannot be converted to JSON. Return its content as an object, a list or a string.`,
    };
  for (const [key, member] of members) {
    const found = findJsonLoss(member, `${pointer}/${escapePointer(key)}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns whether an object is plain, even if it comes from another realm with its own `Object.prototype`. */
function isPlain(object: object): boolean {
  const prototype = Object.getPrototypeOf(object) as object | null;
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function constructorName(object: object): string | undefined {
  const { constructor } = object as { constructor?: unknown };
  return typeof constructor === 'function' && constructor.name !== '' ? constructor.name : undefined;
}
