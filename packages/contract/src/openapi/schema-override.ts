import type { ZodOpenApiOverrideContext } from 'zod-openapi';

/** What every rendered schema needs, wherever it goes. */
export function tidySchema({ jsonSchema }: ZodOpenApiOverrideContext): void {
  const schema = jsonSchema as Record<string, unknown>;
  // `format` says it; zod's patterns for them are long, and are refused by some regular expression engines.
  if (schema['format'] === 'date-time' || schema['format'] === 'uuid') {
    delete schema['pattern'];
  }
  // JSON Schema 2020-12 knows `examples` alone.
  if ('example' in schema) {
    schema['examples'] = [schema['example']];
    delete schema['example'];
  }
}

/**
 * For the API document: a response may get more fields without notice, which clients ignore, so it
 * must not forbid them. What was declared strict, or loose, stays so.
 */
export function openResponses(context: ZodOpenApiOverrideContext): void {
  tidySchema(context);
  const { def } = context.zodSchema._zod;
  if (context.io === 'output' && def.type === 'object' && def.catchall === undefined) {
    delete context.jsonSchema.additionalProperties;
  }
}
