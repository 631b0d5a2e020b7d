/**
 * Kind of the value of a JSON Schema keyword (2020-12 and earlier drafts): one schema, a list of schemas, an object of
 * named schemas, or data. All keywords that are not listed below contain data.
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
 * Returns the kind of value that a keyword has.
 *
 * @param value the value of the keyword; in earlier drafts, `items` may also be a list of schemas
 */
export function getSchemaKeywordKind(keyword: string, value: unknown): SchemaKeywordKind {
  const kind = KINDS.get(keyword) ?? 'data';
  return keyword === 'items' && Array.isArray(value) ? 'schemas' : kind;
}

function toKeywordEntries(
  kind: SchemaKeywordKind,
  keywords: readonly string[],
): readonly [string, SchemaKeywordKind][] {
  return keywords.map((keyword) => [keyword, kind]);
}
