import { z } from 'zod';

export const fieldErrorSchema = z
  .object({
    pointer: z.string().meta({
      description:
        'JSON pointer (RFC 6901) into the body; `/query/…`, `/path/…` or `/headers/…` for a parameter; an element id for a refused BPMN or DMN model.',
      example: '/workflowId',
    }),
    code: z.string().meta({ description: 'Stable error code in snake_case.', example: 'missing' }),
    message: z.string(),
  })
  .meta({ id: 'FieldError' });

/** An RFC 9457 problem document: the body of every error. Further members may be present (for example `resolvedBy`). */
export const problemSchema = z
  .looseObject({
    type: z
      .string()
      .meta({ description: 'A stable URI for the kind of problem.', example: 'urn:countersign:problem:run_not_found' }),
    title: z.string(),
    status: z.int().min(400).max(599),
    detail: z.string().nullable().meta({ description: 'Human-readable explanation of this occurrence.' }),
    code: z.string().meta({
      description:
        'Stable error code in snake_case; the last part of `type`. Codes of a plugin start with the id of the plugin: `acme/quota_exceeded`.',
      example: 'run_not_found',
    }),
    instance: z.string().nullable().meta({ description: 'The requested path.' }),
    traceId: z.string().meta({ description: 'Id of the request, as in the header `X-Request-Id` and in the log.' }),
    retryable: z.boolean().meta({ description: 'Whether the same request may succeed later.' }),
    errors: z
      .array(fieldErrorSchema)
      .meta({ description: 'The invalid fields and parameters; empty for other errors.' }),
  })
  .meta({ id: 'Problem', description: 'RFC 9457 problem document.' });

export type FieldError = z.infer<typeof fieldErrorSchema>;
export type Problem = z.infer<typeof problemSchema>;
