/**
 * The kind of value that a JSON Schema keyword holds (2020-12 and the equivalents of earlier drafts). All other
 * keywords hold data.
 */
export type SchemaKeywordKind = 'schema' | 'schemas' | 'named' | 'data';

const KINDS: ReadonlyMap<string, SchemaKeywordKind> = new Map([
  ...toKeywordEntries('schemas', ['allOf', 'anyOf', 'oneOf', 'prefixItems']),
  ...toKeywordEntries('named', [
    'properties',
    'patternProperties',
    '$defs',
    'definitions',
    'dependentSchemas',
    'dependencies',
  ]),
  ...toKeywordEntries('schema', ['items', 'additionalItems', 'unevaluatedItems', 'contains', 'additionalProperties']),
  ...toKeywordEntries('schema', [
    'unevaluatedProperties',
    'propertyNames',
    'not',
    'if',
    'then',
    'else',
    'contentSchema',
  ]),
]);

/**
 * Returns the kind of value that a keyword holds.
 *
 * @param value value of the keyword: `items` could be a list in earlier drafts
 */
export function schemaKeywordKind(keyword: string, value: unknown): SchemaKeywordKind {
  const kind = KINDS.get(keyword) ?? 'data';
  return keyword === 'items' && Array.isArray(value) ? 'schemas' : kind;
}

function toKeywordEntries(
  kind: SchemaKeywordKind,
  keywords: readonly string[],
): readonly [string, SchemaKeywordKind][] {
  return keywords.map((keyword) => [keyword, kind]);
}
