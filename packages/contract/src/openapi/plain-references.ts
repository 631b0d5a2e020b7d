/** What may stand beside `$ref` without changing what is valid (JSON Schema 2020-12, 8.2.3.1 and 9). */
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
 * Takes out of a rendered document what the renderer copies beside a reference from the schema that it refers to. Beside
 * `$ref` such a keyword counts by itself: `additionalProperties: false` would refuse every property of the referenced
 * schema.
 */
export function withPlainReferences<T>(document: T): T {
  if (Array.isArray(document)) return document.map((item: unknown) => withPlainReferences(item)) as T;
  if (typeof document !== 'object' || document === null) return document;
  const isReference = '$ref' in document && typeof document.$ref === 'string';
  const entries = Object.entries(document).filter(([name]) => !isReference || ANNOTATIONS.has(name));
  return Object.fromEntries(entries.map(([name, value]) => [name, withPlainReferences(value as unknown)])) as T;
}
