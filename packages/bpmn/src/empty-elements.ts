import { getElement, hasUnknownContent, isElement, listPropertyNames, getTag, type ModdleElement } from './moddle.js';

/** Sets of data inputs and outputs, which an `ioSpecification` must have even if they are empty. */
const SET_TAGS: ReadonlySet<string> = new Set(['inputSet', 'outputSet']);

/** Data inputs and outputs are identified by their id, so an element with only an id is not empty. */
const DATA_TAGS: ReadonlySet<string> = new Set(['dataInput', 'dataOutput']);

/** Returns whether a property is missing or empty. Some tools write empty elements and lists of empty elements. */
export function isEmptyProperty(element: ModdleElement, property: string): boolean {
  const value = element[property];
  if (value === undefined || (typeof value === 'string' && value.trim() === '')) return true;
  const isReference = Object.getOwnPropertyDescriptor(element, property)?.enumerable === false;
  if (Array.isArray(value)) return value.length === 0 || (!isReference && value.every(isEmptyDeclaration));
  return !isReference && isEmptyDeclaration(value);
}

/** Returns whether an element has no content, and no attributes other than its id. */
export function isEmptyDeclaration(value: unknown): boolean {
  if (!isElement(value) || hasUnknownContent(value)) return false;
  const tag = getTag(value);
  const isSet = SET_TAGS.has(tag);
  return listPropertyNames(value).every(
    (property) =>
      (property === 'id' && !DATA_TAGS.has(tag)) || (isSet && property === 'name') || isEmptyProperty(value, property),
  );
}

/** Returns the child in a property; `undefined` if it is missing or empty. */
export function getNonEmptyElement(element: ModdleElement, property: string): ModdleElement | undefined {
  const child = getElement(element, property);
  return child === undefined || isEmptyDeclaration(child) ? undefined : child;
}
