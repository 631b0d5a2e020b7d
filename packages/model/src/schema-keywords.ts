/** What a keyword of JSON Schema holds (2020-12, and what drafts before it had instead): everything else is data. */
export type SchemaKeywordKind = 'schema' | 'schemas' | 'named' | 'data';

const KINDS: ReadonlyMap<string, SchemaKeywordKind> = new Map([
  ...kindOf('schemas', ['allOf', 'anyOf', 'oneOf', 'prefixItems']),
  ...kindOf('named', ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies']),
  ...kindOf('schema', ['items', 'additionalItems', 'unevaluatedItems', 'contains', 'additionalProperties']),
  ...kindOf('schema', ['unevaluatedProperties', 'propertyNames', 'not', 'if', 'then', 'else', 'contentSchema']),
]);

/** @param value of the keyword: `items` was a list once */
export function schemaKeywordKind(keyword: string, value: unknown): SchemaKeywordKind {
  const kind = KINDS.get(keyword) ?? 'data';
  return keyword === 'items' && Array.isArray(value) ? 'schemas' : kind;
}

function kindOf(kind: SchemaKeywordKind, keywords: readonly string[]): readonly [string, SchemaKeywordKind][] {
  return keywords.map((keyword) => [keyword, kind]);
}
