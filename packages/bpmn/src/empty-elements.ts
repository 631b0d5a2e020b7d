import { elementOf, hasUnknown, isElement, setProperties, tagOf, type ModdleElement } from './moddle.js';

/** Sets of data inputs and outputs, which an `ioSpecification` must have even if they are empty. */
const SETS: ReadonlySet<string> = new Set(['inputSet', 'outputSet']);

/** Data whose id is their name: they are declared by it. */
const DATA: ReadonlySet<string> = new Set(['dataInput', 'dataOutput']);

/** Returns whether a property declares nothing: tools write empty elements, and lists of them. */
export function isEmpty(element: ModdleElement, property: string): boolean {
  const value = element[property];
  if (value === undefined || (typeof value === 'string' && value.trim() === '')) return true;
  const isReference = Object.getOwnPropertyDescriptor(element, property)?.enumerable === false;
  if (Array.isArray(value)) return value.length === 0 || (!isReference && value.every(declaresNothing));
  return !isReference && declaresNothing(value);
}

/** Returns whether an element has neither attributes, besides its id, nor content. */
export function declaresNothing(value: unknown): boolean {
  if (!isElement(value) || hasUnknown(value)) return false;
  const tag = tagOf(value);
  const isSet = SETS.has(tag);
  return setProperties(value).every(
    (property) => (property === 'id' && !DATA.has(tag)) || (isSet && property === 'name') || isEmpty(value, property),
  );
}

/** Returns the child in a property; `undefined` if there is none, or one that declares nothing. */
export function filledElementOf(element: ModdleElement, property: string): ModdleElement | undefined {
  const child = elementOf(element, property);
  return child === undefined || declaresNothing(child) ? undefined : child;
}
