import type { ZodOpenApiOverrideContext } from 'zod-openapi';

/** Adjusts every rendered schema, regardless of its target. */
export function tidySchema({ jsonSchema }: ZodOpenApiOverrideContext): void {
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
 * Adjusts schemas of the API document: responses may get more fields without notice, which clients ignore, so the
 * schema must not forbid them. Schemas declared strict or loose are unchanged.
 */
export function allowUnknownResponseFields(context: ZodOpenApiOverrideContext): void {
  tidySchema(context);
  const { def } = context.zodSchema._zod;
  if (context.io === 'output' && def.type === 'object' && def.catchall === undefined) {
    delete context.jsonSchema.additionalProperties;
  }
}
