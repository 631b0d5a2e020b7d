import { z } from 'zod';

export const fieldErrorSchema = z
  .object({
    pointer: z.string().meta({
      description:
        'RFC 6901 pointer into the body; `/query/…`, `/path/…` or `/headers/…` for a parameter; an element id in a refused model.',
      example: '/workflowId',
    }),
    code: z.string().meta({ description: 'Stable, snake_case.', example: 'missing' }),
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
    detail: z.string().nullable().meta({ description: 'What went wrong this time, for a person.' }),
    code: z.string().meta({
      description:
        'Stable, snake_case; the last part of `type`. That of a plugin begins with its id: `acme/quota_exceeded`.',
      example: 'run_not_found',
    }),
    instance: z.string().nullable().meta({ description: 'The path that was asked for.' }),
    traceId: z.string().meta({ description: 'As in the header `X-Request-Id`; find it in the log.' }),
    retryable: z.boolean().meta({ description: 'Whether the same request may succeed later.' }),
    errors: z.array(fieldErrorSchema).meta({ description: 'What is wrong where, for bad input; else empty.' }),
  })
  .meta({ id: 'Problem', description: 'RFC 9457 problem document.' });

export type FieldError = z.infer<typeof fieldErrorSchema>;
export type Problem = z.infer<typeof problemSchema>;
