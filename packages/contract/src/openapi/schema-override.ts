import type { ZodOpenApiOverrideContext } from 'zod-openapi';

/** Adjusts each schema that is rendered, for the API document and for evidence packs. */
export function normalizeSchema({ jsonSchema }: ZodOpenApiOverrideContext): void {
  const schema = jsonSchema as Record<string, unknown>;
  // `format` suffices; zod's patterns for these formats are long, and some regular expression engines refuse them.
  if (schema['format'] === 'date-time' || schema['format'] === 'uuid') {
    delete schema['pattern'];
  }
  // JSON Schema 2020-12 supports only `examples`.
  if ('example' in schema) {
    schema['examples'] = [schema['example']];
    delete schema['example'];
  }
}

/**
 * Adjusts schemas of the API document. Later versions may add fields to responses, and clients ignore unknown fields,
 * so the schema must not forbid them. Schemas declared strict or loose are unchanged.
 */
export function allowUnknownResponseFields(context: ZodOpenApiOverrideContext): void {
  normalizeSchema(context);
  const { def } = context.zodSchema._zod;
  if (context.io === 'output' && def.type === 'object' && def.catchall === undefined) {
    delete context.jsonSchema.additionalProperties;
  }
}
