/** Keywords that may accompany `$ref` without changing validity (JSON Schema 2020-12, 8.2.3.1 and 9). */
const ALLOWED_SIBLINGS: ReadonlySet<string> = new Set([
  '$ref',
  '$schema',
  '$id',
  '$defs',
  'title',
  'summary',
  'description',
  'default',
  'deprecated',
  'readOnly',
  'writeOnly',
  'examples',
]);

/**
 * Removes the keywords that zod-openapi copies from a referenced schema to the siblings of the `$ref`. A sibling
 * applies in addition to the reference: `additionalProperties: false` would refuse every property of the referenced
 * schema.
 */
export function removeReferenceSiblings<T>(document: T): T {
  if (Array.isArray(document)) return document.map((item: unknown) => removeReferenceSiblings(item)) as T;
  if (typeof document !== 'object' || document === null) return document;
  const isReference = '$ref' in document && typeof document.$ref === 'string';
  const entries = Object.entries(document).filter(([name]) => !isReference || ALLOWED_SIBLINGS.has(name));
  return Object.fromEntries(entries.map(([name, value]) => [name, removeReferenceSiblings(value as unknown)])) as T;
}
