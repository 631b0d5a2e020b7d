import { z } from 'zod';
import type { ResponseHeader, RouteDefinition } from '../define-route.js';

const describeHeader = (description: string, schema: object = { type: 'string' }) => ({ description, schema });

/** The `components.headers` of the document. */
export const headerComponents = {
  'X-Request-Id': describeHeader('Trace id of the request: the id that the client sent, if it is valid, or a new id.'),
  'Idempotent-Replayed': describeHeader(
    '`true` if this is the stored response to an earlier request with the same key.',
    {
      type: 'string',
      enum: ['true'],
    },
  ),
  'Location': describeHeader('URL of the new resource.', { type: 'string', format: 'uri-reference' }),
  'ETag': describeHeader('Version of the content.'),
  'Content-Disposition': describeHeader('`attachment` with the file name.'),
  'Accept-Ranges': describeHeader('`bytes`.'),
  'Content-Range': describeHeader('Range of bytes in this response.'),
  'Retry-After': describeHeader('Seconds to wait before the next attempt.', { type: 'integer', minimum: 0 }),
  'WWW-Authenticate': describeHeader('RFC 6750: `Bearer`, with `error` if a token was sent.'),
  'Allow': describeHeader('Methods that this path supports.'),
} as const satisfies Record<
  ResponseHeader | 'X-Request-Id' | 'Idempotent-Replayed' | 'WWW-Authenticate' | 'Allow',
  unknown
>;

/** Returns references into `components.headers`; every response has `X-Request-Id`. */
export function buildHeaderRefs(...names: readonly (keyof typeof headerComponents)[]) {
  return Object.fromEntries(['X-Request-Id', ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

export const idempotencyKeySchema = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[!-~]+$/)
  .meta({
    description:
      'Makes retries safe: a repeated request gets the stored response with `Idempotent-Replayed: true`. Keys are separate for each principal and route. Reuse of a key with another body is refused with 422; a repeat while the first request is in progress, with 409.',
    example: 'c0ffee00-7b62-4d53-8c9a-4f1b2e770001',
  });

export const requestIdSchema = z
  .string()
  .max(128)
  .optional()
  .meta({ description: 'Trace id that the client chose.', param: { id: 'X-Request-Id' } });

const lastEventIdSchema = z
  .string()
  .max(1024)
  .optional()
  .meta({ description: '`id` of the last event that was received; only for `text/event-stream`.' });

/** Returns the request headers of a route, by name. */
export function buildRequestHeaders(route: RouteDefinition): z.ZodObject {
  return z.object({
    ...route.headers?.shape,
    ...(route.stream ? { 'Last-Event-ID': lastEventIdSchema } : {}),
    ...(route.idempotent ? { 'Idempotency-Key': idempotencyKeySchema.optional() } : {}),
    'X-Request-Id': requestIdSchema,
  });
}
