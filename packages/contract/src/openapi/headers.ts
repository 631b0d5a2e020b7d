import { z } from 'zod';
import type { ResponseHeader, RouteDefinition } from '../define-route.js';

const header = (description: string, schema: object = { type: 'string' }) => ({ description, schema });

/** `components.headers`. */
export const headerComponents = {
  'X-Request-Id': header('The trace id of the request: the one that the caller gave, if it was sane, or a new one.'),
  'Idempotent-Replayed': header('`true` where the stored answer of an earlier request with this key is given.', {
    type: 'string',
    enum: ['true'],
  }),
  'Location': header('Where the new thing is.', { type: 'string', format: 'uri-reference' }),
  'ETag': header('The version of the content.'),
  'Content-Disposition': header('`attachment` with the name of the file.'),
  'Accept-Ranges': header('`bytes`.'),
  'Content-Range': header('Which part this is.'),
  'Retry-After': header('Seconds to wait before the next try.', { type: 'integer', minimum: 0 }),
  'WWW-Authenticate': header('RFC 6750: `Bearer`, with `error` where a token was given.'),
  'Allow': header('The methods that this path takes.'),
} as const satisfies Record<
  ResponseHeader | 'X-Request-Id' | 'Idempotent-Replayed' | 'WWW-Authenticate' | 'Allow',
  unknown
>;

/** Returns references into `components.headers`; every response has `X-Request-Id`. */
export function headerRefs(...names: readonly (keyof typeof headerComponents)[]) {
  return Object.fromEntries(['X-Request-Id', ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

export const idempotencyKeySchema = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[!-~]+$/)
  .meta({
    description:
      'Makes a repeat safe: the stored answer is given again with `Idempotent-Replayed: true`. Per principal and route; with another body 422, while in progress 409.',
    example: 'c0ffee00-7b62-4d53-8c9a-4f1b2e770001',
  });

export const requestIdSchema = z
  .string()
  .max(128)
  .optional()
  .meta({ description: 'A trace id of your own.', param: { id: 'X-Request-Id' } });

const lastEventIdSchema = z
  .string()
  .max(1024)
  .optional()
  .meta({ description: 'The `id` of the last event that arrived; for `text/event-stream` alone.' });

/** Returns the request headers of a route, by name. */
export function requestHeaders(route: RouteDefinition): z.ZodObject {
  return z.object({
    ...route.headers?.shape,
    ...(route.stream ? { 'Last-Event-ID': lastEventIdSchema } : {}),
    ...(route.idempotent ? { 'Idempotency-Key': idempotencyKeySchema.optional() } : {}),
    'X-Request-Id': requestIdSchema,
  });
}
