/** Keywords that may accompany `$ref` without changing validity (JSON Schema 2020-12, 8.2.3.1 and 9). */
const ANNOTATIONS: ReadonlySet<string> = new Set([
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
 * Removes the keywords that the renderer copies next to a reference from the referenced schema. Next to `$ref`, such a
 * keyword applies separately: `additionalProperties: false` would refuse every property of the referenced schema.
 */
export function withPlainReferences<T>(document: T): T {
  if (Array.isArray(document)) return document.map((item: unknown) => withPlainReferences(item)) as T;
  if (typeof document !== 'object' || document === null) return document;
  const isReference = '$ref' in document && typeof document.$ref === 'string';
  const entries = Object.entries(document).filter(([name]) => !isReference || ANNOTATIONS.has(name));
  return Object.fromEntries(entries.map(([name, value]) => [name, withPlainReferences(value as unknown)])) as T;
}
